import type { Role } from './role.ts'

/** Composition root: each role is a process started by the supervisor. */
export const roles = {
  api: { load: () => import('./roles/api.ts'), connections: 14, statementTimeout: 60_000 },
  tracking: {
    load: () => import('./roles/tracking.ts'),
    connections: 8,
    statementTimeout: 30_000,
    semiSpace: 8,
  },
  engine: { load: () => import('./roles/engine.ts'), connections: 16, statementTimeout: 0, semiSpace: 16 },
  inbound: { load: () => import('./roles/inbound.ts'), connections: 6, statementTimeout: 30_000 },
  jobs: { load: () => import('./roles/jobs.ts'), connections: 12, statementTimeout: 0, semiSpace: 8 },
  testbed: { load: () => import('./roles/testbed.ts'), connections: 4, statementTimeout: 30_000 },
} satisfies Record<string, Role>

export type RoleName = keyof typeof roles

/** Node.js arguments of a role's process. */
export function nodeArguments(name: string): string[] {
  const runs = roleOf(name)
  const role: Role | undefined = runs && roles[runs]
  return role?.semiSpace === undefined ? [] : [`--max-semi-space-size=${role.semiSpace}`]
}

export const roleNames: RoleName[] = ['api', 'tracking', 'engine', 'inbound', 'jobs', 'testbed']

/** Returns the process names of the roles, one each and several for the engine: `engine`, `engine-2` … */
export function processNames(names: readonly RoleName[], engines: number): string[] {
  const more = Array.from({ length: engines - 1 }, (_, index) => `engine-${index + 2}`)
  return names.flatMap(name => (name === 'engine' ? [name, ...more] : [name]))
}

/** Returns the role of a process; undefined for an unknown name. */
export function roleOf(processName: string): RoleName | undefined {
  const name = processName.replace(/^engine-\d+$/, 'engine')
  return isRoleName(name) ? name : undefined
}

export function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(roles, name)
}
