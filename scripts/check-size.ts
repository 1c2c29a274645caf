import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/**
 * Weighs the compressed script a browser needs for the console's first screens, from the build's manifest, and
 * fails above the limits. A screen needs the entry, its own module and the texts, each with its static imports.
 * The first screen of all is the login; the shell with the dashboard comes when the person is known.
 */
const dist = join(import.meta.dirname, '../apps/console/dist')
const texts = 'src/texts/initial.en.ts'
const screens = [
  { screen: 'login', limit: 160_000, modules: ['index.html', 'login', texts] },
  {
    screen: 'dashboard',
    limit: 355_000,
    modules: ['index.html', 'app-layout', 'dashboard', texts, 'src/features/dashboard/texts/en.json'],
  },
]

interface ManifestChunk {
  name?: string
  file: string
  imports?: string[]
  dynamicImports?: string[]
}

const manifest: Record<string, ManifestChunk> = JSON.parse(
  readFileSync(join(dist, '.vite/manifest.json'), 'utf8'),
)

const sizes = screens.map(({ modules, ...screen }) => ({ ...screen, bytes: weigh(modules) }))
for (const { screen, limit, bytes } of sizes) {
  const verdict = bytes <= limit ? 'ok' : 'too much'
  console.log(`${screen.padEnd(10)} ${kB(bytes)} of ${kB(limit)} kB gzip  ${verdict}`)
}
console.log(
  JSON.stringify(Object.fromEntries(sizes.map(({ screen, bytes }) => [`${screen}_kb`, bytes / 1000]))),
)
if (sizes.some(({ limit, bytes }) => bytes > limit)) process.exitCode = 1

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(6)
}

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
  const found = manifest[key] ?? Object.values(manifest).find(({ name }) => name === key)
  if (!found) throw new Error(`The build has no module ${key}. Run "npm run build" first.`)
  return found
}
