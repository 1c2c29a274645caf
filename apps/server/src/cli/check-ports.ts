import { createServer } from 'node:net'
import { type Config, type PortName, portVariables } from '../config.ts'
import type { RoleName } from '../roles.ts'

/** Ports that a role listens on. (The testbed's name server also uses UDP; only TCP is checked.) */
const portsOf: Record<RoleName, PortName[]> = {
  api: ['port'],
  tracking: ['trackingPort'],
  inbound: ['inboundPort', 'submissionPort'],
  testbed: ['testbedSmtpPort', 'testbedDnsPort'],
  engine: [],
  jobs: [],
}

/** Returns one error text per port that cannot be used; empty if all are free. */
export async function findTakenPorts(config: Config, roles: RoleName[]): Promise<string[]> {
  const names = roles.flatMap(role => portsOf[role])
  const faults = await Promise.all(
    names.map(async name => describe(name, config[name], await tryPort(config[name]))),
  )
  return faults.filter(fault => fault !== undefined)
}

function describe(name: PortName, port: number, code: string | undefined): string | undefined {
  const variable = portVariables[name]
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Choose another one in ${variable}, or stop that program.`
  if (code === 'EACCES')
    return `Port ${port} may only be used by root. Choose one from 1024 on in ${variable}.`
  return code && `Port ${port} (${variable}) cannot be used: ${code}.`
}

/** Returns the error code of listening on a port, undefined if it works. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise(settle => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    probe.listen(port, () => probe.close(() => settle(undefined)))
  })
}
