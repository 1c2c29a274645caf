import { mailFault } from '../mail-fault.ts'
import { parseAddress } from '../address.ts'
import {
  assertHeaderName,
  assertHeaderText,
  cleanHeaderText,
  HeaderError,
  type HeaderField,
  headerField,
  textField,
} from './header.ts'
import { type Mailbox, phrase, senderField } from './mailbox.ts'

/** Header fields that are the same for all recipients of a campaign. */
export interface MailHeaders {
  from: Mailbox
  replyTo?: Mailbox
  /** RFC 2919; `id` is a dotted name such as `news.example.com`. */
  listId?: { id: string; name?: string }
  /** Gmail's feedback loop, `campaign:client:type:sender`. */
  feedbackId?: string
  /** RFC 9477: address for complaints about this message. */
  cfblAddress?: string
  precedence?: 'bulk' | 'list'
  /** RFC 3834, for transactional mail. */
  autoSubmitted?: 'auto-generated'
  /** Additional fields, e.g. a mail class for the next hop. */
  extra?: Readonly<Record<string, string>>
}

/**
 * Builds the constant fields.
 * @throws HeaderError for line breaks, invalid addresses, names or ids
 */
export function senderFields(headers: MailHeaders): HeaderField[] {
  const fields = [senderField('From', headers.from)]
  if (headers.replyTo) fields.push(senderField('Reply-To', headers.replyTo))
  if (headers.listId) fields.push(listIdField(headers.listId))
  if (headers.feedbackId) fields.push(tokenField('Feedback-ID', headers.feedbackId))
  if (headers.cfblAddress) fields.push(cfblField(headers.cfblAddress))
  if (headers.precedence) fields.push(headerField('Precedence', headers.precedence))
  if (headers.autoSubmitted) fields.push(headerField('Auto-Submitted', headers.autoSubmitted))
  for (const [name, value] of Object.entries(headers.extra ?? {})) {
    assertHeaderText(name, value)
    fields.push(extraField(name, value))
  }
  return fields
}

/**
 * Builds a field named by the caller; control characters in the value are removed.
 * @throws HeaderError for an invalid name or one that the message already has
 */
export function extraField(name: string, value: string): HeaderField {
  assertHeaderName(name)
  if (OWN_FIELDS.has(name.toLowerCase()))
    throw new HeaderError(mailFault('mail.header_own', { header: name }))
  return textField(name, value)
}

/**
 * Builds a field of one printable ASCII word, e.g. an id.
 * @throws HeaderError for anything else
 */
export function tokenField(name: string, value: string): HeaderField {
  if (!/^[\x21-\x7e]{1,900}$/.test(value))
    throw new HeaderError(mailFault('mail.header_character', { header: name }))
  return headerField(name, value)
}

/** Fields that the compiler, buildMail, the signer or the transport write themselves. */
const OWN_FIELDS = new Set(
  `from sender to cc bcc reply-to subject date message-id mime-version content-type content-transfer-encoding
  list-id list-unsubscribe list-unsubscribe-post feedback-id cfbl-address cfbl-feedback-id precedence auto-submitted
  dkim-signature return-path received`.split(/\s+/),
)

/** `"Name" <news.example.com>`: the grammar of a mailbox, with a dotted name as address. */
function listIdField({ id, name }: { id: string; name?: string }): HeaderField {
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/.test(id) || id.length > 255)
    throw new HeaderError(mailFault('mail.header_list_id'))
  if (name === undefined || name.trim() === '') return headerField('List-Id', `<${id}>`)
  assertHeaderText('List-Id', name)
  return headerField('List-Id', `${phrase(cleanHeaderText(name), 'List-Id: '.length)} <${id}>`)
}

function cfblField(address: string): HeaderField {
  const parsed = parseAddress(address, { asciiLocal: true })
  if (!parsed.ok) throw new HeaderError(mailFault('mail.header_address', { header: 'CFBL-Address' }))
  return headerField('CFBL-Address', `${parsed.email}; report=arf`)
}
