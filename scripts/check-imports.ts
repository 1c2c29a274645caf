import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { brokenRule, type Import, ownStatement } from './import-rules.ts'

interface LoadedImport extends Import {
  isLoaded: boolean
}

/** Reads every import of every source with a real parser, and names each one that breaks a rule of the installation. */
const files = globSync('{apps,packages}/*/src/**/*.{ts,tsx}')
const imports = files.flatMap(readImports)
const broken = imports.flatMap(each => {
  const rule = brokenRule(each)
  return rule ? [`${each.from}: "${each.specifier}": ${rule}`] : []
})
const statements = files.flatMap(path => {
  const statement = ownStatement(path, readFileSync(path, 'utf8'))
  return statement
    ? [`${path}: "${statement}": the server holds no SQL: statements are operations of core`]
    : []
})
const circles = findCircles(imports)

const faults = [...broken, ...statements, ...circles]
for (const line of faults) console.error(line)
console.log(`${files.length} files, ${imports.length} imports, ${faults.length} against the rules`)
process.exitCode = faults.length > 0 ? 1 : 0

function readImports(path: string): LoadedImport[] {
  const from = path.replaceAll('\\', '/')
  const source = readFileSync(path, 'utf8')
  const { module } = parseSync(from, source)
  const specifiers = [
    ...module.staticImports.map(each => each.moduleRequest.value),
    ...module.staticExports.flatMap(each => each.entries.flatMap(entry => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.flatMap(each =>
      literal(source.slice(each.moduleRequest.start, each.moduleRequest.end)),
    ),
  ]
  const loaded = new Set(module.staticImports.filter(isLoaded).map(each => each.moduleRequest.value))
  return [...new Set(specifiers)].map(specifier => ({
    from,
    specifier,
    target: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : null,
    isLoaded: loaded.has(specifier),
  }))
}

/** A type alone leaves nothing behind when the program runs. */
function isLoaded({ entries }: { entries: readonly { isType: boolean }[] }): boolean {
  return entries.length === 0 || entries.some(entry => !entry.isType)
}

function literal(text: string): string[] {
  const value = /^['"`]([^'"`$]+)['"`]$/.exec(text.trim())?.[1]
  return value === undefined ? [] : [value]
}

/** Chains of relative imports that lead back to where they began. Types and lazy imports close no circle. */
function findCircles(all: readonly LoadedImport[]): string[] {
  const next = Map.groupBy(
    all.filter(each => each.isLoaded && each.target !== null && existsSync(each.target)),
    each => each.from,
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file)
    if (seen >= 0) {
      found.push(`circle: ${[...trail.slice(seen), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const { target } of next.get(file) ?? []) if (target) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return found
}
