import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** Starts a role like the supervisor, in a process that ends with the test; resolves once it is ready. */
export async function startRole(name: string, environment: Record<string, string>): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('../supervisor/role-process.ts', import.meta.url))
  const execArgv = ['--import', new URL('held-bytes.ts', import.meta.url).href]
  const role = fork(program, [name], { execArgv, env: { ...process.env, ...environment } })
  onTestFinished(() => void role.kill('SIGKILL'))
  await once(role, 'message')
  return role
}

/** Bytes used by a role's process after garbage collection. */
export async function heldBytes(role: ChildProcess): Promise<number> {
  const answered = once(role, 'message')
  role.send('held bytes')
  const [{ bytes }] = await answered
  return Number(bytes)
}
