import { isRoleName, roles } from '../roles.ts'
import { runRole } from './run-role.ts'

/** What the supervisor forks: runs the role named in the first argument. */
const name = process.argv[2] ?? ''
if (!isRoleName(name)) throw new Error(`There is no role "${name}".`)
await runRole(name, roles[name])
