import type { CampaignKey } from '../model/campaign-key.ts'

/** A header for the relay, which takes it off again before the mail goes on. */
export interface MtaHeader {
  name: string
  /** `{campaign}` and `{client}` stand for the ids of whose mail it is, `{ip}` for the IP or virtual MTA of the mail class. */
  value: string
}

/**
 * Writes the headers by which relays choose virtual MTA, pool and job: `X-Virtual-MTA` and `X-Job` (PowerMTA),
 * `X-GreenArrow-MailClass`, `X-Tenant` and `X-Campaign` (KumoMTA). They stand before everything else and are not signed, so
 * a relay that takes them off breaks no signature. (PowerMTA and GreenArrow do so by themselves, KumoMTA where its policy
 * says `remove_x_headers`.)
 *
 * A test on its own is no campaign's: `{campaign}` is `test` then.
 */
export function mtaHeaders(
  headers: readonly MtaHeader[],
  of: CampaignKey | undefined,
  sendIp: string | null,
): Buffer {
  const values: Record<string, string | number> = {
    campaign: of?.campaignId || 'test',
    client: of?.clientId ?? '',
    ip: sendIp ?? '',
  }
  const lines = headers.map(({ name, value }) => {
    const filled = value.replaceAll(/\{(\w+)\}/g, (text, word: string) => String(values[word] ?? text))
    return `${name}: ${printable(filled)}\r\n`
  })
  return Buffer.from(lines.join(''), 'latin1')
}

/** Contracts allow nothing else; a line end here would be a header of its own. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '_')
}
