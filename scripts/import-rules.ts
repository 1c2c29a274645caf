/** Allowed imports (docs/ARCHITECTURE.md). A workspace may always import itself. */
const mayImport: Record<string, readonly string[]> = {
  'packages/contract': [],
  'packages/mail': [],
  'packages/db': [],
  'packages/core': ['contract', 'db', 'mail'],
  'packages/delivery': ['contract', 'core', 'db', 'mail'],
  'packages/testbed': ['mail'],
  'packages/client': ['contract'],
  'packages/ui': ['client', 'contract'],
  // mail: the visual editor changes a template's source with the code that the server compiles it with.
  'apps/console': ['ui', 'client', 'contract', 'mail'],
  'apps/server': ['contract', 'core', 'db', 'delivery', 'mail', 'testbed'],
}

/** Libraries that a workspace must not import, with the displayed reason. */
const forbiddenLibraries: Record<string, { pattern: RegExp; reason: string }> = {
  'packages/contract': { pattern: /^(?!zod$|vitest$)/, reason: 'contract imports zod alone' },
  'packages/core': {
    pattern: /^(react|fastify|@fastify\/|node:http)/,
    reason: 'core knows neither HTTP nor React',
  },
  'packages/delivery': {
    pattern: /^(react|fastify|@fastify\/)/,
    reason: 'delivery knows neither HTTP nor React',
  },
  'apps/server': {
    pattern: /^kysely$/,
    reason: 'the server holds no SQL: statements are operations of core',
  },
  'packages/ui': { pattern: /^i18next/, reason: 'the kit gets its words through a context' },
}

const statement = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(/

/** Returns the SQL in a server source that does not import the query builder; null if there is none. */
export function ownStatement(path: string, source: string): string | null {
  if (workspaceOf(path) !== 'apps/server' || isTest(path)) return null
  return statement.exec(source)?.[1] ?? null
}

export interface Import {
  /** Path of the importing file from the root, with `/`. */
  from: string
  /** As written. */
  specifier: string
  /** Path of the imported file from the root, for relative ones; null for packages. */
  target: string | null
  /** True for value and type imports at load time; false for `import()`. */
  isStatic: boolean
}

/** Returns the broken rule of an import; null if it is allowed. */
export function brokenRule({ from, specifier, target }: Omit<Import, 'isStatic'>): string | null {
  const home = workspaceOf(from)
  if (!home) return null
  if (target !== null) return brokenInside(from, target, home)
  const workspace = /^@emma\/([a-z]+)\//.exec(specifier)?.[1]
  // Tests send to the real testbed.
  if (workspace === 'testbed' && isTest(from)) return null
  if (workspace && `packages/${workspace}` !== home && !mayImport[home]?.includes(workspace))
    return `${home} must not import ${workspace}`
  if (home === 'apps/console' && workspace === 'mail' && !/^@emma\/mail\/(?:edit|template)\//.test(specifier))
    return 'the console uses the editing of templates alone'
  if (/^@emma\/[a-z]+$/.test(specifier)) return 'there are no barrels: name the file'
  const library = forbiddenLibraries[home]
  const isOwn = specifier.startsWith('@emma/') || isTest(from)
  if (library && !isOwn && library.pattern.test(specifier)) return library.reason
  return null
}

function brokenInside(from: string, target: string, home: string): string | null {
  if (workspaceOf(target) !== home) return 'other workspaces are imported by their name'
  const [feature, otherFeature] = [featureOf(from), featureOf(target)]
  if (feature && otherFeature && feature !== otherFeature) return 'a feature must not import another feature'
  const [stage, otherStage] = [stageOf(from), stageOf(target)]
  if (stage && otherStage && stage !== otherStage && !isTest(from))
    return 'delivery stages must not import each other'
  return null
}

function workspaceOf(path: string): string | null {
  return /^(?:apps|packages)\/[a-z]+(?=\/)/.exec(path)?.[0] ?? null
}

function featureOf(path: string): string | null {
  return /^apps\/console\/src\/features\/([a-z]+)\//.exec(path)?.[1] ?? null
}

function stageOf(path: string): string | null {
  return /^packages\/delivery\/src\/(\d-[a-z]+)\//.exec(path)?.[1] ?? null
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/(test|stories)\//.test(path)
}

/** Finds cycles of static imports, including type imports. Lazy imports do not count. */
export function findCycles(all: readonly Pick<Import, 'from' | 'target' | 'isStatic'>[]): string[] {
  const next = Map.groupBy(
    all.filter(each => each.isStatic && each.target !== null),
    each => each.from,
  )
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, trail: readonly string[]): void => {
    const seen = trail.indexOf(file)
    if (seen >= 0) {
      found.push(`import cycle: ${[...trail.slice(seen), file].join(' → ')}`)
      return
    }
    if (done.has(file)) return
    for (const { target } of next.get(file) ?? []) if (target) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of next.keys()) visit(file, [])
  return found
}
