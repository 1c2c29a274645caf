import type { CampaignKey } from '../model/campaign-key.ts'

/** A header field for the relay, which removes it before forwarding. */
export interface MtaHeader {
  name: string
  /** `{campaign}` and `{client}` are replaced by the ids, `{ip}` by the IP or virtual MTA of the mail class. */
  value: string
}

/**
 * Builds the header fields by which relays choose virtual MTA, pool and job: `X-Virtual-MTA` and `X-Job` (PowerMTA),
 * `X-GreenArrow-MailClass`, `X-Tenant` and `X-Campaign` (KumoMTA). They come first and are not signed, so removing
 * them breaks no signature. (PowerMTA and GreenArrow always remove them, KumoMTA if its policy contains
 * `remove_x_headers`.)
 *
 * A test send belongs to no campaign: `{campaign}` is `test`.
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

/** The contract allows nothing else; a line end would begin another header field. */
function printable(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '_')
}
