import { generateDkimKey, loadDkimKey } from '@emma/mail/dkim/dkim-key.ts'
import { createSecretKey } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CampaignSnapshot } from '../model/campaign-snapshot.ts'
import { compileCampaign } from '../3-render/compile-campaign.ts'
import { readAttachments } from '../model/read-attachments.ts'
import { type RenderedMail, renderMail } from '../3-render/render-mail.ts'

/** Messages as the engine writes them, without a database, for tests of the receiving side. */

export const TEST_DOMAIN = 'sender.test'

const rsa = generateDkimKey('rsa')
const ed25519 = generateDkimKey('ed25519')

/** DNS records of the sender's domain, name → text. */
export const TEST_RECORDS: Readonly<Record<string, string>> = {
  [`r1._domainkey.${TEST_DOMAIN}`]: rsa.publicTxt,
  [`e1._domainkey.${TEST_DOMAIN}`]: ed25519.publicTxt,
  [`_dmarc.${TEST_DOMAIN}`]: 'v=DMARC1; p=reject; adkim=s; aspf=r',
  [`bounce.${TEST_DOMAIN}`]: 'v=spf1 ip4:127.0.0.1 -all',
}

const KEYS = [
  loadDkimKey({ domain: TEST_DOMAIN, selector: 'r1', privatePem: rsa.privatePem }),
  loadDkimKey({ domain: TEST_DOMAIN, selector: 'e1', privatePem: ed25519.privatePem }),
]
/** Every file has 20,000 bytes, all values among them. */
export const TEST_FILE = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7) % 256))
const TEST_FILES = { get: async () => Readable.from([TEST_FILE.subarray(0, 9), TEST_FILE.subarray(9)]) }

const TOKEN_KEY = createSecretKey(Buffer.alloc(32, 7))

/** A message with everything that the shipped templates have; tests override fields. */
export function testSnapshot(
  changes: {
    message?: Partial<CampaignSnapshot['message']>
    client?: Partial<CampaignSnapshot['client']>
    campaign?: Partial<CampaignSnapshot['campaign']>
    sender?: Partial<CampaignSnapshot['sender']>
    mailclass?: Partial<CampaignSnapshot['mailclass']>
    modules?: CampaignSnapshot['modules']
    columns?: string[]
  } = {},
): CampaignSnapshot {
  return {
    campaign: { id: 17, name: 'November', type: 1, ...changes.campaign },
    client: {
      client_id: 4,
      name: 'Müller & Söhne',
      address: 'Speicherstraße 12, 20457 Hamburg',
      contact_email: `hello@${TEST_DOMAIN}`,
      imprint: 'Müller & Söhne GmbH, Speicherstraße 12, 20457 Hamburg',
      language: 'de',
      timezone: 'Europe/Berlin',
      ...changes.client,
    },
    memberTableId: 1,
    columns: changes.columns ?? ['member_id', 'email', 'firstname', 'lastname'],
    message: {
      id: 3,
      subject: 'News for {{ member.firstname }}',
      preheader: '',
      html: '<html><head><title>News</title></head><body><p>Hello {{ member.firstname }}</p>\n<p><a href="https://shop.example/?c={{ member.lastname }}">Offer</a></p><p>{{ client.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p></body></html>',
      mjml: '',
      text: '',
      language: 'en',
      isTracked: true,
      ...changes.message,
    },
    modules: changes.modules ?? [],
    links: [],
    sender: {
      address: `news@${TEST_DOMAIN}`,
      name: 'Müller & Söhne',
      replyTo: `hello@${TEST_DOMAIN}`,
      ...changes.sender,
    },
    domain: { id: 1, name: TEST_DOMAIN, returnPathHost: `bounce.${TEST_DOMAIN}` },
    mailclass: { id: 1, name: 'Newsletter', listId: null, transport: 'smtp', ...changes.mailclass },
    trackingBase: `https://t.${TEST_DOMAIN}`,
  }
}

/** Renders a snapshot for one member, signed with both keys. */
export async function renderTest(
  snapshot: CampaignSnapshot,
  member: Record<string, unknown> = { member_id: 1, firstname: 'Jörg', lastname: 'Käfer' },
  email = 'joerg@example.net',
): Promise<RenderedMail & { raw: Buffer }> {
  const compiled = await compileCampaign(snapshot, KEYS, {
    attachments: await readAttachments(TEST_FILES, snapshot),
  })
  const mail = await renderMail(compiled, { email, memberId: 1, member }, TOKEN_KEY)
  return { ...mail, raw: Buffer.concat(mail.bytes) }
}

/** DNS with the records of the sender's domain. */
export async function resolveTest(name: string, type: string): Promise<string[][]> {
  const text = TEST_RECORDS[name]
  if (text !== undefined && type === 'TXT') return [[text]]
  throw Object.assign(new Error(`no ${type} of ${name}`), { code: 'ENOTFOUND' })
}
