import { mailFault, type MailFault, suggest } from '../mail-fault.ts'
import type { Template } from 'liquidjs'
import { closest } from './closest.ts'
import { templateNames } from './template-names.ts'
import { groupsOf, isOutput, pathOf, plainPath, walkTemplates, walkValues } from './walk-templates.ts'

/** Names a template may use. A missing list accepts any name. */
export interface KnownNames {
  /** Columns of the datasource. */
  member: readonly string[]
  campaign?: readonly string[]
  client?: readonly string[]
  /** Fields of a transactional call; only for templates of one. */
  data?: readonly string[]
  brand?: readonly string[]
}

export const linkNames = ['unsubscribe', 'browser', 'preferences', 'doi'] as const
export type LinkName = (typeof linkNames)[number]

/** A name that cannot be resolved. */
export interface UnknownName {
  path: string
  /** Offset in the parsed text. */
  offset: number
  fault: MailFault
}

/** Limit of reported names. */
const maxUnknown = 50

/** Returns the unknown names of a parsed template, each once, in text order. */
export function findUnknownNames(templates: readonly Template[], known: KnownNames): UnknownName[] {
  const found = new Map<string, UnknownName>()
  for (const { path, offset } of templateNames(templates).globals) {
    const name = path.join('.')
    if (found.has(name)) continue
    const fault = judge(path, name, known)
    if (fault !== null) found.set(name, { path: name, offset, fault })
    if (found.size >= maxUnknown) break
  }
  return [...found.values()].toSorted((a, b) => a.offset - b.offset)
}

/** A value that an output displays, for "is empty for this member" in previews. */
export interface ShownValue {
  root: string
  name: string
  /** Also true if a condition of the template reads the value: it is written for people without one. */
  hasDefault: boolean
}

/**
 * Returns the plain `root.name` values that a template displays, each once; an output without default takes
 * precedence.
 */
export function shownValues(templates: readonly Template[]): ShownValue[] {
  const shown = new Map<string, ShownValue>()
  const conditions = conditionPaths(templates)
  for (const template of walkTemplates(templates)) {
    if (!isOutput(template)) continue
    const [root, name, ...deeper] = plainPath(template.value) ?? []
    if (root === undefined || name === undefined || deeper.length > 0) continue
    const hasDefault =
      template.value.filters.some(filter => filter.name === 'default') || conditions.has(`${root}.${name}`)
    const before = shown.get(`${root}.${name}`)
    shown.set(`${root}.${name}`, { root, name, hasDefault: hasDefault && (before?.hasDefault ?? true) })
  }
  return [...shown.values()]
}

/** Paths that conditions and loops read. */
function conditionPaths(templates: readonly Template[]): ReadonlySet<string> {
  const paths = new Set<string>()
  for (const { template, value } of walkValues(templates)) {
    if (isOutput(template)) continue
    for (const { initial } of [value, ...groupsOf(value)])
      for (const token of initial.postfix) paths.add(pathOf(token)?.join('.') ?? '')
  }
  return paths
}

function judge([root = '', name]: readonly string[], path: string, known: KnownNames): MailFault | null {
  switch (root) {
    case 'member':
      return judgeName(path, root, name, known.member, 'content.no_column')
    case 'campaign':
      return known.campaign ? judgeName(path, root, name, known.campaign, 'content.no_campaign_field') : null
    case 'client':
      return known.client ? judgeName(path, root, name, known.client, 'content.no_client_field') : null
    case 'brand':
      return known.brand ? judgeName(path, root, name, known.brand, 'content.no_client_field') : null
    case 'data':
      return known.data ? judgeName(path, root, name, known.data, 'content.no_data_field') : null
    case 'link':
      return judgeName(path, root, name, linkNames, 'content.no_link')
    case 'module':
      return mailFault('content.module_alone', { path, example: `{{ ${path} }}` })
    default:
      return strayName(path, root, known)
  }
}

function judgeName(
  path: string,
  root: string,
  name: string | undefined,
  names: readonly string[],
  code:
    | 'content.no_column'
    | 'content.no_campaign_field'
    | 'content.no_client_field'
    | 'content.no_data_field'
    | 'content.no_link',
): MailFault | null {
  if (name === undefined) return mailFault('content.root_alone', { root, example: `${root}.NAME` })
  if (names.includes(name)) return null
  const near = closest(name, names)
  return suggest(mailFault(code, { path }), near && `${root}.${near}`)
}

function strayName(path: string, root: string, known: KnownNames): MailFault {
  const candidates = [
    ...known.member.map(name => `member.${name}`),
    ...(known.data ?? []).map(name => `data.${name}`),
    ...(known.client ?? []).map(name => `client.${name}`),
    ...(known.brand ?? []).map(name => `brand.${name}`),
    ...(known.campaign ?? []).map(name => `campaign.${name}`),
    ...linkNames.map(name => `link.${name}`),
  ]
  const same = candidates.find(
    candidate => squeeze(candidate.slice(candidate.indexOf('.') + 1)) === squeeze(path),
  )
  const near = same ?? closest(path, candidates) ?? nearRoot(path, root)
  return suggest(mailFault('content.name_unknown', { path }), near)
}

function nearRoot(path: string, root: string): string | null {
  if (!path.includes('.')) return null
  const near = closest(root, ['member', 'campaign', 'client', 'brand', 'link', 'module', 'data'])
  return near === null ? null : near + path.slice(root.length)
}

function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}
