import { reasonOf } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import type { Campaign } from './campaign-operations.ts'
import type { Finding } from './finding.ts'
import { findSendingFaults, senderSettingsOf } from './sending-faults.ts'

/** What forbids sending at any time, by the rule that the engine follows too. */
export async function checkRoute(db: Db, campaign: Campaign): Promise<Finding[]> {
  const [faults = []] = await findSendingFaults(db, [senderSettingsOf(campaign)])
  return faults.map(({ code, field, fault }) => ({ code, field, ...reasonOf(fault) }))
}
