import { createServer } from 'node:net'
import { type Config, type PortName, portVariables } from '../config.ts'
import type { RoleName } from '../roles.ts'

/** The ports a role listens on. (The testbed's name server speaks UDP as well; TCP is what is tried.) */
const portsOf: Record<RoleName, PortName[]> = {
  api: ['port'],
  tracking: ['trackingPort'],
  inbound: ['inboundPort'],
  testbed: ['testbedSmtpPort', 'testbedDnsPort'],
  engine: [],
  jobs: [],
}

/** What is wrong with the ports these roles will listen on, in words; empty when all are free. */
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

/** The error code of listening on a port, undefined when it works. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise(settle => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => settle(error.code ?? error.message))
    probe.listen(port, () => probe.close(() => settle(undefined)))
  })
}
