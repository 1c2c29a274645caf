import { type Fault, fault } from '@emma/contract/faults.ts'

/** Why a mail class cannot send, whatever its campaign. */
export interface TransportFinding {
  code: 'mailclass_no_host' | 'mailclass_no_login' | 'real_delivery_off'
  fault: Fault
}

/**
 * Finds what is missing for the transport of a mail class; null if nothing is.
 * @param realDelivery whether mail may leave this installation
 */
export function transportFault(
  { name, transport, smtp_host, login_ids }: TransportFields,
  realDelivery: boolean,
): TransportFinding | null {
  const values = { mailclass: name }
  if (transport === 'smtp' && !smtp_host)
    return { code: 'mailclass_no_host', fault: fault('campaign.mailclass_no_host', values) }
  if (transport === 'esp' && login_ids.length === 0)
    return { code: 'mailclass_no_login', fault: fault('campaign.mailclass_no_login', values) }
  const staysHere = transport === 'testbed' || /^(?:localhost|::1|127\.[\d.]+)$/.test(smtp_host ?? '')
  // A login may be at a service on this machine; the engine finds that out when it connects.
  if (staysHere || transport === 'esp' || realDelivery) return null
  return { code: 'real_delivery_off', fault: fault('campaign.real_delivery_off', values) }
}

interface TransportFields {
  name: string
  transport: string
  smtp_host: string | null
  login_ids: readonly number[]
}
