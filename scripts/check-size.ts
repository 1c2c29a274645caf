import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Weighs the compressed script a browser needs for the console's first screens, from the build's manifest, and
 * fails above the limit. A screen needs the entry, its own module and the texts, each with its static imports.
 */
const limitBytes = 200_000
const dist = join(import.meta.dirname, '../apps/console/dist')
const texts = 'src/texts/en.ts'
const screens = {
  login: ['index.html', 'src/features/account/login.tsx', texts],
  dashboard: ['index.html', 'src/shell/frame.tsx', ...dashboardModules(), texts],
}

interface ManifestChunk {
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const manifest: Record<string, ManifestChunk> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
)

const sizes = Object.entries(screens).map(([name, modules]) => ({ screen: name, bytes: weigh(modules) }))
for (const { screen, bytes } of sizes) {
  const verdict = bytes <= limitBytes ? 'ok' : `above the limit of ${limitBytes / 1000} kB`
  console.log(`${screen.padEnd(10)} ${(bytes / 1000).toFixed(1).padStart(6)} kB gzip  ${verdict}`)
}
console.log(
  JSON.stringify(Object.fromEntries(sizes.map(({ screen, bytes }) => [`${screen}_kb`, bytes / 1000]))),
)
if (sizes.some(({ bytes }) => bytes > limitBytes)) process.exitCode = 1

/** Bytes of all script files that the modules need, each counted once, compressed like the server does. */
function weigh(modules: readonly string[]): number {
  const files = new Set(modules.flatMap(staticFiles).filter(file => file.endsWith('.js')))
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
}

function staticFiles(module: string): string[] {
  const seen = new Set<string>()
  const visit = (key: string): void => {
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of chunk(key).imports ?? []) visit(imported)
  }
  visit(module)
  return [...seen].map(key => chunk(key).file)
}

function chunk(key: string): ManifestChunk {
  const found = manifest[key]
  if (!found) throw new Error(`The build has no module ${key}. Run "npm run build" first.`)
  return found
}

/** The dashboard's module once there is one. */
function dashboardModules(): string[] {
  const text = readFileSync(join(dist, '.vite/manifest.json'), 'utf8')
  return text.includes('"src/features/dashboard/dashboard.tsx"')
    ? ['src/features/dashboard/dashboard.tsx']
    : []
}
