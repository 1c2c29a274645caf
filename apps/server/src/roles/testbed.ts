import { join } from 'node:path'
import { startTestbed } from '@emma/testbed/testbed.ts'
import { localAddress } from '../network/plain-http.ts'
import type { RoleContext, RunningRole } from '../role.ts'
import { senderRecords } from '../testbed/sender-records.ts'
import { trackingOrigin } from '../testbed/tracking-origin.ts'

/** Runs the simulated internet: receiving servers, DNS, and readers of the received messages. */
export async function start({ config, db, logger }: RoleContext): Promise<RunningRole> {
  const testbed = await startTestbed({
    folder: join(config.dataFolder, 'testbed'),
    smtpPort: config.testbedSmtpPort,
    dnsPort: config.testbedDnsPort,
    inbound: { host: localAddress(config.inboundHost), port: config.inboundPort },
    lookup: senderRecords(db),
    resolveOrigin: trackingOrigin(config, db),
    onError: error => logger.debug({ err: error }, 'Error in the testbed'),
  })
  logger.info({ smtpPort: testbed.smtpPort, dnsPort: testbed.dnsPort }, 'The testbed accepts mail')
  return { stop: testbed.stop }
}
