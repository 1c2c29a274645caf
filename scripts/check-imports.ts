import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'
import { brokenRule, findCycles, type Import, ownStatement } from './import-rules.ts'

/** Parses every import of every source, and reports each one that breaks an import rule. */
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
const cycles = findCycles(imports.filter(each => each.target !== null && existsSync(each.target)))

const faults = [...broken, ...statements, ...cycles]
for (const line of faults) console.error(line)
console.log(`${files.length} files, ${imports.length} imports, ${faults.length} against the rules`)
process.exitCode = faults.length > 0 ? 1 : 0

function readImports(path: string): Import[] {
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
  const statics = new Set(module.staticImports.map(each => each.moduleRequest.value))
  return [...new Set(specifiers)].map(specifier => ({
    from,
    specifier,
    target: specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : null,
    isStatic: statics.has(specifier),
  }))
}

function literal(text: string): string[] {
  const value = /^['"`]([^'"`$]+)['"`]$/.exec(text.trim())?.[1]
  return value === undefined ? [] : [value]
}
