import { roleOf, roles } from '../roles.ts'
import { runRole } from './run-role.ts'

/** Entry point of a role process: runs the role of the process named in the first argument. */
const name = process.argv[2] ?? ''
const role = roleOf(name)
if (!role) throw new Error(`There is no role "${name}".`)
await runRole(name, roles[role], role)
