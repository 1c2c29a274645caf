import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { onTestFinished } from 'vitest'
import { asList, asObject, asText, basicAuth, type Json, readJson } from '../4-deliver/esp/esp-api.ts'
import type { ApiEsp } from '../4-deliver/esp/esp-login.ts'

/** API key of every ESP in tests. */
export const TEST_SECRET = 'secret-key'
export const TEST_USER = 'user-key'

/** A message as an ESP received it. */
export interface TakenMail {
  to: string
  subject: string
  text: string
  unsubscribe: string
  reference: string
  isTracked: boolean
  /** `name (type): base64` of its attachments. */
  attached: string[]
}

interface Call {
  request: IncomingMessage
  body: Buffer
  json: Json
}

interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

export interface TestService {
  url: string
  taken: TakenMail[]
  calls: number
  /** Idempotency keys sent to Brevo. */
  keys: string[]
  /** Request bodies. */
  bodies: Json[]
  /** Text of the last request body. */
  lastBody: string
  /** Overrides the ESP's response; null closes the connection after the request was read. */
  instead: (() => Reply | null) | null
}

/**
 * A local server with one ESP's API as documented (November 2026): other paths, missing fields, wrong keys and
 * unknown top-level fields are rejected like the ESP does. `nobody@` is a rejected recipient.
 */
export async function startTestService(esp: ApiEsp): Promise<TestService> {
  const service: TestService = {
    url: '',
    taken: [],
    calls: 0,
    keys: [],
    bodies: [],
    lastBody: '',
    instead: null,
  }
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    service.calls++
    const text = body.toString()
    const json = readJson(text.startsWith('[') ? `{"all":${text}}` : text)
    service.bodies.push(json)
    service.lastBody = text
    service.keys.push(asText(asObject(json.headers).idempotencyKey))
    const reply =
      service.instead === null
        ? await SERVICES[esp]({ request, body, json }, mail => service.taken.push(mail))
        : service.instead()
    if (reply === null) {
      request.socket.destroy()
      return
    }
    response
      .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
      .end(reply.body === undefined ? '' : JSON.stringify(reply.body))
  })
  // On a busy machine client and server would notice only together, in this process, that a connection was idle.
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  service.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return service
}

type Take = (mail: TakenMail) => void

const SERVICES: Record<ApiEsp, (call: Call, take: Take) => Promise<Reply> | Reply> = {
  async ses({ request, body, json }, take) {
    if (request.url !== '/v2/email/outbound-emails') return { status: 404 }
    const fault = awsFault(request, body)
    if (fault !== null)
      return { status: 403, headers: { 'x-amzn-errortype': fault }, body: { message: 'Not signed so' } }
    const { Raw: raw } = asObject(json.Content)
    const [to] = strings(asObject(json.Destination).ToAddresses)
    const [tag] = asList(json.EmailTags)
    if (to === undefined || !/^[\w.@-]{1,256}$/.test(asText(tag?.Value)))
      return { status: 400, headers: { 'x-amzn-errortype': 'BadRequestException' }, body: { message: 'No' } }
    if (to.startsWith('nobody@'))
      return { status: 400, headers: { 'x-amzn-errortype': 'MessageRejected' }, body: { message: 'Refused' } }
    const mime = Buffer.from(asText(asObject(raw).Data), 'base64')
    take({
      ...(await readMime(mime)),
      to,
      reference: asText(tag?.Value),
      isTracked: false,
    })
    return { status: 200, body: { MessageId: '0100-1' } }
  },

  async mailgun({ request, body }, take) {
    if (request.headers.authorization !== basicAuth('api', TEST_SECRET)) return { status: 401 }
    if (request.url !== '/v3/mg.sender.test/messages.mime')
      return { status: 404, body: { message: 'Domain not found' } }
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    }).formData()
    const [to, file] = [form.get('to'), form.get('message')]
    if (typeof to !== 'string' || !(file instanceof Blob))
      return { status: 400, body: { message: 'to or message parameter is missing' } }
    if (to.startsWith('nobody@'))
      return {
        status: 400,
        body: { message: "'to' parameter is not a valid address. please check documentation" },
      }
    const isTracked = ['o:tracking', 'o:tracking-clicks', 'o:tracking-opens'].some(
      name => form.get(name) !== 'no',
    )
    const mime = Buffer.from(await file.arrayBuffer())
    take({ ...(await readMime(mime)), to, reference: fieldOf(form, 'v:emma'), isTracked })
    return { status: 200, body: { id: '<1@mg.sender.test>', message: 'Queued. Thank you.' } }
  },

  sendgrid({ request, json }, take) {
    if (request.headers.authorization !== `Bearer ${TEST_SECRET}`)
      return { status: 401, body: { errors: [{ message: 'authorization is required', field: null }] } }
    if (request.url !== '/v3/mail/send') return { status: 404 }
    const [person] = asList(json.personalizations)
    const to = asText(asList(person?.to)[0]?.email)
    const contents = asList(json.content)
    const headers = asObject(json.headers)
    const reserved = /^(?:x-sg-.*|received|dkim-signature|content-.*|to|from|subject|reply-to|cc|bcc)$/i
    const wrong = Object.keys(headers).find(name => reserved.test(name))
    if (wrong)
      return { status: 400, body: { errors: [{ message: `${wrong} is reserved`, field: 'headers' }] } }
    // text/plain must come first.
    if (to === '' || json.subject === '' || contents[0]?.type !== 'text/plain')
      return { status: 400, body: { errors: [{ message: 'content', field: 'content' }] } }
    if (to.startsWith('nobody@'))
      return {
        status: 400,
        body: {
          errors: [{ message: 'Does not contain a valid address.', field: 'personalizations.0.to.0.email' }],
        },
      }
    const tracking = asObject(json.tracking_settings)
    take({
      to,
      subject: asText(json.subject),
      text: asText(contents[0]?.value),
      unsubscribe: asText(headers['List-Unsubscribe']),
      reference: asText(asObject(person?.custom_args).emma),
      attached: attached(json.attachments, ['filename', 'type', 'content']),
      isTracked: ['click_tracking', 'open_tracking'].some(name => asObject(tracking[name]).enable !== false),
    })
    return { status: 202, headers: { 'x-message-id': 'sg1' } }
  },

  postmark({ request, body, json }, take) {
    if (request.headers['x-postmark-server-token'] !== TEST_SECRET)
      return { status: 401, body: { ErrorCode: 10, Message: 'The Server Token you provided is wrong.' } }
    const mails = asList(json.all)
    if (request.url !== '/email/batch' || mails.length > 500) return { status: 422 }
    if (body.length > 50_000_000) return { status: 413, body: { Message: 'Payload too large' } }
    if (mails.some(mail => mail.MessageStream !== 'outbound'))
      return { status: 422, body: { ErrorCode: 1235, Message: 'The stream does not exist' } }
    const answers = mails.map(mail => {
      const to = asText(mail.To)
      if (to.startsWith('nobody@'))
        return { ErrorCode: 406, Message: 'You tried to send to an inactive recipient.' }
      if (asText(mail.From) === '' || asText(mail.TextBody) + asText(mail.HtmlBody) === '')
        return { ErrorCode: 300, Message: 'Invalid From' }
      const header = (name: string) => asText(asList(mail.Headers).find(one => one.Name === name)?.Value)
      take({
        to,
        subject: asText(mail.Subject),
        text: asText(mail.TextBody),
        unsubscribe: header('List-Unsubscribe'),
        reference: asText(asObject(mail.Metadata).emma),
        attached: attached(mail.Attachments, ['Name', 'ContentType', 'Content']),
        isTracked: mail.TrackOpens !== false || mail.TrackLinks !== 'None',
      })
      return { ErrorCode: 0, Message: 'OK', MessageID: 'pm1', To: to }
    })
    return { status: 200, body: answers }
  },

  sparkpost({ request, json }, take) {
    if (request.headers.authorization !== TEST_SECRET)
      return { status: 401, body: { errors: [{ message: 'Unauthorized.' }] } }
    if (request.url !== '/api/v1/transmissions') return { status: 404 }
    const [recipient] = asList(json.recipients)
    const to = asText(asObject(recipient?.address).email)
    const content = asObject(json.content)
    if (to === '' || asText(asObject(content.from).email) === '' || asText(content.subject) === '')
      return { status: 422, body: { errors: [{ message: 'required field is missing', code: '1400' }] } }
    if (to.startsWith('nobody@'))
      return { status: 400, body: { errors: [{ message: 'Message generation rejected', code: '1902' }] } }
    if (to.startsWith('rejected@')) {
      const rejected = {
        rcpt_to_errors: [{ message: 'invalid data', code: '1300' }],
        total_rejected_recipients: 1,
      }
      return { status: 200, body: { results: { ...rejected, total_accepted_recipients: 0, id: '1' } } }
    }
    const options = asObject(json.options)
    take({
      to,
      subject: fillIn(asText(content.subject)),
      text: fillIn(asText(content.text)),
      unsubscribe: fillIn(asText(asObject(content.headers)['List-Unsubscribe'])),
      reference: asText(asObject(recipient?.metadata).emma),
      attached: attached(content.attachments, ['name', 'type', 'data']),
      isTracked: options.open_tracking !== false || options.click_tracking !== false,
    })
    return {
      status: 200,
      body: { results: { total_rejected_recipients: 0, total_accepted_recipients: 1, id: '1' } },
    }
  },

  brevo({ request, json }, take) {
    if (request.headers['api-key'] !== TEST_SECRET)
      return { status: 401, body: { code: 'unauthorized', message: 'Key not found' } }
    if (request.url !== '/v3/smtp/email') return { status: 404 }
    const to = asText(asList(json.to)[0]?.email)
    const headers = asObject(json.headers)
    if (to.startsWith('nobody@'))
      return { status: 400, body: { code: 'invalid_parameter', message: 'email is not valid in to' } }
    if (asText(asObject(json.sender).email) === '' || asText(json.subject) === '')
      return { status: 400, body: { code: 'missing_parameter', message: 'sender' } }
    take({
      to,
      subject: asText(json.subject),
      text: asText(json.textContent),
      unsubscribe: asText(headers['List-Unsubscribe']),
      reference: asText(headers['X-Mailin-custom']),
      // Brevo takes the type from the name.
      attached: attached(json.attachment, ['name', 'type', 'content']),
      // Disabled per account, not per message.
      isTracked: asText(headers.idempotencyKey) === '',
    })
    return { status: 201, body: { messageId: '<1@smtp-relay.mailin.fr>' } }
  },

  mailjet({ request, json }, take) {
    if (request.headers.authorization !== basicAuth(TEST_USER, TEST_SECRET))
      return { status: 401, body: { StatusCode: 401, ErrorMessage: 'API key authentication failure' } }
    const mails = asList(json.Messages)
    if (request.url !== '/v3.1/send' || mails.length === 0 || mails.length > 50) return { status: 400 }
    const answers = mails.map(mail => {
      const to = asText(asList(mail.To)[0]?.Email)
      const error = (ErrorRelatedTo: string[]) => ({
        Status: 'error',
        Errors: [
          {
            ErrorCode: 'mj-0013',
            StatusCode: 400,
            ErrorMessage: 'is an invalid email address',
            ErrorRelatedTo,
          },
        ],
      })
      if (to.startsWith('nobody@')) return error(['To[0].Email'])
      if (asText(asObject(mail.From).Email) === '') return error(['From.Email'])
      if (Object.keys(asObject(mail.Headers)).some(name => MAILJET_FORBIDDEN.has(name.toLowerCase())))
        return error(['Headers'])
      take({
        to,
        subject: asText(mail.Subject),
        text: asText(mail.TextPart),
        unsubscribe: asText(asObject(mail.Headers)['List-Unsubscribe']),
        reference: asText(mail.CustomID),
        attached: attached(mail.Attachments, ['Filename', 'ContentType', 'Base64Content']),
        isTracked: mail.TrackOpens !== 'disabled' || mail.TrackClicks !== 'disabled',
      })
      return { Status: 'success', To: [{ Email: to, MessageID: 456 }] }
    })
    return {
      status: answers.some(answer => answer.Status === 'error') ? 400 : 200,
      body: { Messages: answers },
    }
  },
}

/** Fills in placeholders like SparkPost: unknown ones become empty. */
function fillIn(text: string): string {
  const functions: Readonly<Record<string, string>> = {
    'opening_double_curly()': '{{',
    'closing_double_curly()': '}}',
    'opening_triple_curly()': '{{{',
    'closing_triple_curly()': '}}}',
  }
  return text.replaceAll(/\{\{([^{}]*)\}\}/g, (_, expression: string) => functions[expression.trim()] ?? '')
}

const MAILJET_FORBIDDEN = new Set([
  'from',
  'sender',
  'subject',
  'to',
  'cc',
  'bcc',
  'date',
  'message-id',
  'reply-to',
  'return-path',
  'delivered-to',
  'dkim-signature',
  'domainkey-status',
  'received-spf',
  'authentication-results',
  'received',
  'user-agent',
  'x-mailer',
  'x-feedback-id',
  'x-csa-complaints',
  'list-id',
  'x-mailjet-debug',
  'x-mailjet-segmentation',
  'x-mj-statisticscontactslistid',
  'x-mj-mid',
])

function attached(list: unknown, [name = '', type = '', content = '']: readonly string[]): string[] {
  return asList(list).map(file => `${asText(file[name])} (${asText(file[type])}): ${asText(file[content])}`)
}

async function readMime(
  raw: Buffer,
): Promise<Pick<TakenMail, 'subject' | 'text' | 'unsubscribe' | 'attached'>> {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'base64' })
  return {
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    unsubscribe: mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '',
    attached: attached(mail.attachments, ['filename', 'mimeType', 'content']),
  }
}

/** Verifies a version 4 signature independently: canonical request, string to sign, derived key. */
function awsFault(request: IncomingMessage, body: Buffer): string | null {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/ses\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    )
  if (!match) return 'MissingAuthenticationTokenException'
  const [, user, day = '', region = '', names = '', signature] = match
  if (user !== TEST_USER) return 'UnrecognizedClientException'
  const sha = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
  const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const headers = names.split(';').map(name => `${name}:${String(request.headers[name])}\n`)
  const canonical = [request.method, request.url, '', headers.join(''), names, sha(body)].join('\n')
  const time = String(request.headers['x-amz-date'])
  const toSign = `AWS4-HMAC-SHA256\n${time}\n${day}/${region}/ses/aws4_request\n${sha(canonical)}`
  const key = mac(mac(mac(mac(`AWS4${TEST_SECRET}`, day), region), 'ses'), 'aws4_request')
  if (!names.includes('host') || !time.startsWith(day)) return 'SignatureDoesNotMatch'
  return mac(key, toSign).toString('hex') === signature ? null : 'SignatureDoesNotMatch'
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function fieldOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
