import {
  type BehaviourField,
  behaviourFields,
  eventFields,
  type MatchMode,
  type Rule,
  type RuleGroup,
} from '@emma/contract/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import { isHuman, isSent } from '../../reports/counted.ts'
import type { Condition, Operand } from './compile-condition.ts'
import { type Compilation, compileGroup, type Place, type Vocabulary } from './compile-group.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'

/** A kind of event and its table: sends are in the ledger, everything else in the event log. */
interface Happening {
  from: RawBuilder<unknown>
  where: RawBuilder<unknown>
  fields: Readonly<Record<string, Operand>>
  /** Opens and clicks of machines are excluded unless the rule uses the verdict (T31). */
  hasVerdict: boolean
}

type EventField = keyof typeof eventFields

/** Most behaviour rules of a segment; each becomes a join or subquery. */
const MAXIMUM_BEHAVIOURS = 40

/**
 * Compiles a rule with a match mode (R288): how many of the member's sends, opens, clicks … match the group in its
 * value. `all`: at least one, and no other. Below plain `and` the rule becomes a semi-join (or anti-join), otherwise a
 * join with one row per member; never a lookup per member.
 */
export function compileBehaviour(compilation: Compilation, rule: Rule, place: Place): Condition | null {
  const refuse = (part: string, reason: Fault) => {
    compilation.errors.push({ field: `${place.path}.${part}`, ...reason })
    return null
  }
  const { match } = rule
  if (!match) return null
  if (!isBehaviour(rule.field))
    return refuse(
      'field',
      fault('field.behaviour_unknown', { field: rule.field, fields: behaviourFields.join(', ') }),
    )
  const threshold = match.threshold ?? 1
  if (!Number.isSafeInteger(threshold)) return refuse('match.threshold', fault('field.threshold'))
  if (compilation.joins.length >= MAXIMUM_BEHAVIOURS)
    return refuse('match', fault('field.too_many_behaviours', { max: MAXIMUM_BEHAVIOURS }))
  const value = rule.value ?? null
  if (value !== null && !isGroup(value)) return refuse('value', fault('field.rule_group'))

  const happening = happenings[rule.field]
  const inner =
    value &&
    compileGroup(compilation, eventVocabulary(happening), value, {
      path: `${place.path}.value`,
      depth: place.depth + 1,
      isConjunctive: false,
    })
  const ofPeople = happening.hasVerdict && !mentions(value, 'verdict') ? sql`and ${isHuman('e')}` : sql``
  const links = mentions(value, 'url') ? sentLinks(compilation.clientId) : sql``
  const source = sql`${happening.from} ${links} where ${happening.where} ${ofPeople}`
  const satisfied = inner?.db ?? sql`true`
  const wanted = asCounts(match.mode, threshold)
  if (place.isConjunctive && wanted === 'any') return exists(source, satisfied)
  if (place.isConjunctive && wanted === 'none') return not(exists(source, satisfied))
  return compareCount(compilation, source, satisfied, match.mode, threshold)
}

function exists(source: RawBuilder<unknown>, satisfied: RawBuilder<unknown>): Condition {
  return {
    db: sql`exists (select from ${source} and e.client_id = m.client_id and e.member_id = m.member_id
      and (${satisfied}))`,
    isTotal: true,
  }
}

function not({ db }: Condition): Condition {
  return { db: sql`not ${db}`, isTotal: true }
}

/** Joins one row per member who has such events: `n` of `total` match. */
function compareCount(
  compilation: Compilation,
  source: RawBuilder<unknown>,
  satisfied: RawBuilder<unknown>,
  mode: MatchMode,
  threshold: number,
): Condition {
  const alias = `b${compilation.joins.length}`
  const counts =
    mode === 'all'
      ? sql`count(*) filter (where ${satisfied}) as n, count(*) as total from ${source}`
      : sql`count(*) as n from ${source} and (${satisfied})`
  compilation.joins.push(
    sql`left join (
      select e.client_id, e.member_id, ${counts} group by e.client_id, e.member_id
    ) as ${sql.ref(alias)} on ${sql.ref(`${alias}.client_id`)} = m.client_id
      and ${sql.ref(`${alias}.member_id`)} = m.member_id`,
  )
  const n = sql`coalesce(${sql.ref(`${alias}.n`)}, 0)`
  return { db: compareMode(mode, n, sql.ref(`${alias}.total`), threshold), isTotal: true }
}

function compareMode(
  mode: MatchMode,
  n: RawBuilder<unknown>,
  total: RawBuilder<unknown>,
  threshold: number,
): RawBuilder<unknown> {
  switch (mode) {
    case 'all':
      return sql`${n} = coalesce(${total}, -1)`
    case 'some':
      return sql`${n} > 0`
    case 'none':
      return sql`${n} = 0`
    case 'atLeast':
      return sql`${n} >= ${threshold}::bigint`
    case 'atMost':
      return sql`${n} <= ${threshold}::bigint`
    case 'exactly':
      return sql`${n} = ${threshold}::bigint`
  }
}

/** Whether a mode only needs existence (`any`, `none`) or a number. */
function asCounts(mode: MatchMode, threshold: number): 'any' | 'none' | 'number' {
  if (mode === 'some' || (mode === 'atLeast' && threshold === 1)) return 'any'
  if (mode === 'none' || (threshold === 0 && (mode === 'atMost' || mode === 'exactly'))) return 'none'
  return 'number'
}

function eventVocabulary(happening: Happening): Vocabulary {
  const fields = new Map(Object.entries(happening.fields))
  return { find: field => fields.get(field) ?? null, names: () => [...fields.keys()], behaviour: null }
}

/**
 * URLs of clicked links, as `sent`: numbered as in the campaign's snapshot, since a changed template has other numbers;
 * the current ones only without a snapshot. One map per query, by campaign and number: with a join, a planner that
 * expects few members would scan all links for each.
 */
const sentLinks = (clientId: number) => sql`cross join lateral (
    select (
      select jsonb_object_agg(c.campagne_id || ':' || link.index, link.url)
      from campaign as c cross join lateral (
        select l ->> 'index' as index, l ->> 'url' as url from jsonb_array_elements(c.snapshot -> 'links') as l
        union all
        select l.link_index::text, l.url from message_link as l
        where c.snapshot is null and l.client_id = c.client_id and l.message_id = c.message_id
      ) as link
      where c.client_id = ${clientId}::bigint and link.index is not null
    ) ->> (e.campagne_id || ':' || e.link_index) as url
  ) as sent`

const inLog = {
  ts: event('ts', sql`e.ts`),
  campagne_id: event('campagne_id', sql`e.campagne_id`),
}
const byAgent = {
  ...inLog,
  device: event('device', sql`e.device`),
  verdict: event('verdict', sql`e.verdict::text`),
}

const happenings: Record<BehaviourField, Happening> = {
  sent: {
    from: sql`delivery as e`,
    where: isSent('e'),
    fields: { ts: event('ts', sql`e.recorded_at`), campagne_id: inLog.campagne_id },
    hasVerdict: false,
  },
  opened: logged('open', byAgent, true),
  clicked: logged(
    'click',
    { ...byAgent, link_index: event('link_index', sql`e.link_index`), url: event('url', sql`sent.url`) },
    true,
  ),
  bounced: logged('bounce', inLog, false),
  unsubscribed: logged('unsubscribe', inLog, false),
  complained: logged('complaint', inLog, false),
}

function logged(type: string, fields: Record<string, Operand>, hasVerdict: boolean): Happening {
  return {
    from: sql`event as e`,
    where: sql`e.type = ${sql.lit(type)}::event_type`,
    fields,
    hasVerdict,
  }
}

function event(field: EventField, db: RawBuilder<unknown>): Operand {
  return { db, type: eventFields[field] }
}

function isBehaviour(field: string): field is BehaviourField {
  return behaviourFields.some(one => one === field)
}

function isGroup(value: NonNullable<Rule['value']>): value is RuleGroup {
  return typeof value === 'object' && 'rules' in value
}

function mentions(group: RuleGroup | null, field: string): boolean {
  return (group?.rules ?? []).some(
    child => !child.muted && ('rules' in child ? mentions(child, field) : child.field === field),
  )
}
