import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { EmmaError } from '@emma/contract/errors.ts'
import { formCss } from '@emma/contract/web-forms/form-style.ts'
import { type FormLanguage, formTexts } from '@emma/contract/web-forms/form-texts.ts'
import {
  controls,
  type FormState,
  honeypotName,
  renderForm,
  renderFormPage,
  renderThanks,
} from '@emma/contract/web-forms/render-form.ts'
import { countAttempt } from '@emma/core/audience/web-forms/count-attempt.ts'
import { type ActiveForm, findActiveForm } from '@emma/core/audience/web-forms/find-form.ts'
import { readSubmission } from '@emma/core/audience/web-forms/read-submission.ts'
import { submitForm } from '@emma/core/audience/web-forms/submit-form.ts'
import { countVisit } from '@emma/core/audience/web-forms/webform-figures.ts'
import { addressKey } from '@emma/mail/address.ts'
import type { Db } from '@emma/db/connection.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config.ts'
import type { Logger } from '../../logger.ts'
import { addressGroup } from '../../network/address-group.ts'
import { TRACKING_LIMITS } from '../../network/limits.ts'
import type { ProcessPages } from '../process-pages.ts'
import { formAction, languageOf, sendPage } from '../send-page.ts'
import { createWork, verifyWork } from './proof-of-work.ts'
import { signStart, startAge } from './start-time.ts'

export interface WebFormContext {
  app: FastifyInstance
  config: Pick<Config, 'deriveKey'>
  db: Db
  logger: Logger
  pages: ProcessPages
  /** Submissions are answered at multiples of this time, so that it does not tell who is on the list. */
  answerMs?: number
  now?: () => number
}

/** Least time between showing and sending, in milliseconds. */
const MIN_FILL_MS = 2000
const MAX_FILL_MS = 24 * 60 * 60 * 1000

/** Submissions per hour: of one address with and without proof of work, and for one email address. */
const MOST_PROVEN = 30
const MOST_UNPROVEN = 6
const MOST_PER_EMAIL = 5
const MOST_VISITS = 600

const MOST_NAMES = 100
const embedScript = readFileSync(new URL('embed.js', import.meta.url), 'utf8')

type Path = { Params: { hash: string }; Querystring: Record<string, unknown>; Body: unknown }

/**
 * Mounts the public pages of web forms (`/f/{hash}`), the script that embeds them, and the submission, which works with
 * and without script. Other websites may read the answers: they hold nothing about a person.
 */
export function mountWebForms(context: WebFormContext): void {
  const { app, config, db, logger, pages, answerMs = 250, now = Date.now } = context
  const startKey = config.deriveKey('web form start')
  const workSecret = config.deriveKey('web form proof of work').toString('hex')

  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    const bodyLimit = TRACKING_LIMITS.bodyBytes
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit },
      (_request, body, done) => done(null, valuesOf(new URLSearchParams(String(body)))),
    )
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, valuesOfJson(String(body))),
    )
    scope.setErrorHandler((error, request, reply) => {
      const code = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
      const isBusy = error instanceof EmmaError && error.code === 'conflict'
      if (code >= 500 && !isBusy)
        logger.error({ err: error, url: request.routeOptions.url }, 'A web form failed')
      if (code < 500 && !isBusy) return pages.sendGone(request, reply.status(code === 413 ? 413 : 400))
      const notice = formTexts[languageOf(request.headers['accept-language'])].failed
      if (isJson(request)) return allowOthers(reply).status(503).send({ notice })
      return reply.status(503).type('text/plain; charset=utf-8').send(notice)
    })

    scope.get<Path>('/f/:hash', async (request, reply) => {
      const { hash } = request.params
      if (hash.endsWith('.js')) return sendScript(reply)
      const form = await findActiveForm(db, hash)
      if (!form) return pages.sendGone(request, reply)
      await countVisitor(form, 'views', request)
      return showForm(request, reply, form, { values: prefilled(form, request.query) })
    })

    scope.get<Path>('/f/:hash/data', async (request, reply) => {
      const form = await findActiveForm(db, request.params.hash)
      if (!form) return allowOthers(reply).status(404).send({})
      const lang = languageFor(request)
      const { name, type, popup_trigger: trigger, popup_after: after, popup_again: again } = form
      const challenge = await createWork(workSecret)
      const html = renderForm(form, lang, { start: signStart(startKey, form.hash, now()) })
      const close = formTexts[lang].close
      return allowOthers(reply).send({
        name,
        type,
        trigger,
        after,
        again,
        close,
        html,
        css: formCss(form),
        challenge,
      })
    })

    scope.get<Path>('/f/:hash/challenge', async (_request, reply) =>
      allowOthers(reply).send(await createWork(workSecret)),
    )

    for (const kind of ['views', 'starts'] as const)
      scope.post<Path>(`/f/:hash/${kind}`, async (request, reply) => {
        const form = await findActiveForm(db, request.params.hash)
        if (form) await countVisitor(form, kind, request)
        return allowOthers(reply).status(204).send()
      })

    scope.options<Path>('/f/:hash', (_request, reply) =>
      allowOthers(reply)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', '86400')
        .status(204)
        .send(),
    )

    scope.post<Path>('/f/:hash', async (request, reply) => {
      const form = await findActiveForm(db, request.params.hash)
      if (!form)
        return isJson(request) ? allowOthers(reply).status(404).send({}) : pages.sendGone(request, reply)
      const sent = request.body as Record<string, string> | null
      if (sent === null) return pages.sendGone(request, reply.status(400))
      const [answer] = await Promise.all([judge(form, sent, request), delay(answerMs)])
      await delay(answerMs - (now() % answerMs))
      return sendAnswer(request, reply, form, sent, answer)
    })
  })

  /** Checks and stores a submission. @returns what was found in it; null if it is accepted, or seems to be */
  async function judge(
    form: ActiveForm,
    sent: Record<string, string>,
    request: FastifyRequest<Path>,
  ): Promise<(FormState & { status: number }) | null> {
    const lang = languageFor(request, sent)
    const texts = formTexts[lang]
    const { values, frequency, errors, unknown } = readSubmission(form, sent, lang)
    if (unknown.length > 0)
      return { status: 400, notice: `Unknown: ${unknown.slice(0, 10).join(', ').slice(0, 200)}` }
    if (form.honeypot && sent[honeypotName(form)]) return null
    const age = startAge(startKey, form.hash, sent[controls.start] ?? '', now())
    const isInTime = age !== null && age >= MIN_FILL_MS && age <= MAX_FILL_MS
    if (Object.keys(errors).length > 0) return { status: 422, errors, notice: texts.check }
    if (!isInTime) return { status: 422, notice: texts.again }
    const proof = await verifyWork(workSecret, sent[controls.proof] ?? '')
    const isProven = proof !== null && (await count(form, `proof\n${proof}`, 1))
    const visitor = `${isProven ? 'proven' : 'unproven'}\n${form.hash}\n${addressGroup(request.ip)}`
    if (!(await count(form, visitor, isProven ? MOST_PROVEN : MOST_UNPROVEN)))
      return { status: 429, notice: texts.too_many }
    if (!(await count(form, `form\n${form.hash}`, form.rate_limit)))
      return { status: 429, notice: texts.too_many }
    const email = addressKey(String(values['email']))
    // More for one address are dropped without a word: a notice would tell that somebody entered it before.
    if (!(await count(form, `email\n${email}`, MOST_PER_EMAIL))) return null
    await submitForm(
      db,
      form,
      { values, frequency },
      {
        lang,
        page: pageOf(request, sent),
        ip: request.ip,
        userAgent: request.headers['user-agent'] ?? null,
      },
    )
    return null
  }

  /** At most `MOST_VISITS` of an address are counted per hour. */
  async function countVisitor(form: ActiveForm, kind: 'views' | 'starts', { ip }: FastifyRequest<Path>) {
    if (await count(form, `${kind}\n${form.hash}\n${addressGroup(ip)}`, MOST_VISITS))
      await countVisit(db, form, kind)
  }

  function count(form: ActiveForm, name: string, most: number): Promise<boolean> {
    return countAttempt(db, form.client_id, name, most)
  }

  async function sendAnswer(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    form: ActiveForm,
    sent: Record<string, string>,
    answer: (FormState & { status: number }) | null,
  ): Promise<FastifyReply> {
    const lang = languageFor(request, sent)
    if (isJson(request)) {
      const { status = 200, errors = {}, notice = '' } = answer ?? {}
      void allowOthers(reply).status(status)
      if (answer) return reply.send({ errors, notice, challenge: await createWork(workSecret) })
      return reply.send(form.thanks_url ? { redirect: form.thanks_url } : { html: renderThanks(form, lang) })
    }
    if (answer === null && form.thanks_url) return reply.redirect(form.thanks_url, 303)
    if (answer === null) {
      const page = renderFormPage(form, lang, renderThanks(form, lang, 'h1'), null)
      return sendPage(reply, page, pagePolicy(form))
    }
    const { status, ...state } = answer
    const hasStart = startAge(startKey, form.hash, sent[controls.start] ?? '', now()) !== null
    const start = hasStart ? sent[controls.start] : undefined
    return showForm(request, reply.status(status), form, { ...state, values: sent, ...(start && { start }) })
  }

  function showForm(
    request: FastifyRequest<Path>,
    reply: FastifyReply,
    form: ActiveForm,
    state: FormState,
  ): FastifyReply {
    const lang = languageFor(request, state.values)
    const start = state.start ?? signStart(startKey, form.hash, now())
    const html = renderForm(form, lang, { ...state, start }, 'h1')
    return sendPage(reply, renderFormPage(form, lang, html, `/f/${form.hash}.js`), pagePolicy(form))
  }
}

/** Without credentials, so that any website may embed a form. */
function allowOthers(reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
}

function sendScript(reply: FastifyReply): FastifyReply {
  return allowOthers(reply)
    .type('text/javascript; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .send(embedScript)
}

/** Websites may frame the page. */
function pagePolicy({ thanks_url }: ActiveForm): string {
  return `default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; ${formAction(thanks_url)}; frame-ancestors *; base-uri 'none'`
}

function isJson(request: FastifyRequest): boolean {
  return request.headers['content-type']?.startsWith('application/json') ?? false
}

function valuesOf(entries: Iterable<[string, string]>): Record<string, string> | null {
  const values: Record<string, string> = Object.create(null)
  let names = 0
  for (const [name, value] of entries) {
    names += 1
    if (names > MOST_NAMES) return null
    values[name] ??= value
  }
  return values
}

/** Null unless it is an object of texts. */
function valuesOfJson(text: string): Record<string, string> | null {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
    const entries = Object.entries(body)
    return entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')
      ? valuesOf(entries)
      : null
  } catch {
    return null
  }
}

/** The language of the form that was sent, or that the URL or the browser asks for. */
function languageFor(
  request: FastifyRequest<Path>,
  sent: Readonly<Record<string, string>> = {},
): FormLanguage {
  const asked = sent[controls.lang] ?? request.query['lang']
  return languageOf(typeof asked === 'string' ? asked : request.headers['accept-language'])
}

/** Values of the URL for the fields that allow it. */
function prefilled(form: ActiveForm, query: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    form.fields.map(({ column, prefill, default: initial }) => {
      const given = prefill ? query[column] : undefined
      return [column, typeof given === 'string' ? given.slice(0, 500) : (initial ?? '')]
    }),
  )
}

/** The page that shows the form: without query and fragment, which may hold personal data. */
function pageOf({ headers }: FastifyRequest, sent: Record<string, string>): string | null {
  const { origin, pathname } = URL.parse(sent[controls.page] ?? headers.referer ?? '') ?? {}
  return origin && origin !== 'null' ? `${origin}${pathname}`.slice(0, 2000) : null
}
