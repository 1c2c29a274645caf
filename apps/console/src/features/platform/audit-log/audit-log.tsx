import { queryKeys } from '@emma/client/query-keys.ts'
import type { auditEntry } from '@emma/contract/actions/audit-log.ts'
import { listAuditLog } from '@emma/contract/actions/audit-log.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import type { Column, ListFilter } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { changedField, ChangeLines } from '../../../shell/resource/change-lines.tsx'
import { Page } from '../../../shell/layout/page.tsx'
import { useUrlDrawer } from '../../../shell/layout/use-url-drawer.ts'

type Entry = z.infer<typeof auditEntry>

const filterNames = ['object', 'object_id', 'user_id', 'client_id', 'after', 'before']

/** Audit log of the whole installation. */
export default function AuditLog(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ filters: filterNames, defaults: {} })
  const drawer = useUrlDrawer('entry')
  const [entry, setEntry] = useState<Entry | null>(null)
  // The URL contains the entry's id; after a reload the entry itself is not known.
  const opened = entry?.id === drawer.value ? entry : null
  return (
    <Page title={t('screens.audit_log')} subtitle={t('platform.audit.text')}>
      <ListScreen
        name="audit_log"
        label={t('screens.audit_log')}
        columns={useColumns()}
        filters={useFilters()}
        isSearchable={false}
        rowKey={row => row.id}
        rowLabel={row => nameOf(row, t)}
        queryKey={queryKeys.action(listAuditLog, {})}
        load={async ({ filters = {}, limit, offset = 0 }, options) => {
          const one = (name: string) => {
            const first = [filters[name] ?? []].flat()[0]
            return first === undefined || first === '' ? {} : { [name]: String(first) }
          }
          const query = Object.assign({ limit: limit ?? 500, offset }, ...filterNames.map(one))
          return api.call(listAuditLog, { query, ...options, ignoreCache: true })
        }}
        state={state}
        onStateChange={setState}
        onOpen={row => {
          setEntry(row)
          drawer.open(row.id)
        }}
        empty={{ title: t('platform.audit.empty_title'), text: t('platform.audit.empty_text') }}
      />
      <DetailsDrawer
        title={t('platform.audit.entry')}
        isOpen={opened !== null}
        onClose={drawer.close}
        size="lg"
      >
        {opened && <EntryDetails entry={opened} />}
      </DetailsDrawer>
    </Page>
  )
}

function EntryDetails({ entry }: { entry: Entry }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`platform.audit.fields.${field}`)
  const { changes } = entry
  return (
    <>
      <KeyValue
        entries={[
          { label: label('ts'), value: format.dateTime(entry.ts) },
          { label: label('user'), value: who(entry, t('history.system')) },
          ...(entry.token ? [{ label: label('token'), value: entry.token }] : []),
          ...(entry.view_role ? [{ label: label('view_role'), value: entry.view_role }] : []),
          { label: label('ip'), value: entry.ip ?? '–' },
          { label: label('client'), value: entry.client ?? t('platform.audit.installation') },
          { label: label('object'), value: nameOf(entry, t) },
          {
            label: label('action'),
            value: actionOf(entry, t),
          },
          { label: label('request_id'), value: entry.request_id ?? '–' },
        ]}
      />
      <ChangeLines changes={changes} names={namesOf(entry.object)} />
    </>
  )
}

function useColumns(): Column<Entry>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`platform.audit.fields.${field}`)
  const action = (row: Entry) => actionOf(row, t)
  return [
    { id: 'ts', header: label('ts'), width: 170, cell: row => format.dateTime(row.ts), text: row => row.ts },
    {
      id: 'user',
      header: label('user'),
      width: 200,
      cell: row => who(row, t('history.system')),
      text: row => who(row, t('history.system')),
    },
    { id: 'action', header: label('action'), width: 200, cell: action, text: action },
    {
      id: 'object',
      header: label('object'),
      width: 220,
      cell: row => nameOf(row, t),
      text: row => `${row.object} ${row.object_id || ''}`,
    },
    {
      id: 'changes',
      header: label('changes'),
      cell: row =>
        Object.keys(row.changes)
          .map(field => changedField(t, namesOf(row.object), field))
          .join(', '),
      text: row => JSON.stringify(row.changes),
      wideOnly: true,
    },
    {
      id: 'client',
      header: label('client'),
      width: 170,
      cell: row => row.client ?? t('platform.audit.installation'),
      wideOnly: true,
    },
    { id: 'ip', header: label('ip'), width: 140, cell: row => row.ip, hidden: true },
    { id: 'request_id', header: label('request_id'), width: 140, cell: row => row.request_id, hidden: true },
  ]
}

function useFilters(): ListFilter[] {
  const { t } = useTranslation()
  const label = (field: string) => t(`platform.audit.fields.${field}`)
  const objects = [...resources.map(({ name }) => name), 'setting'].toSorted()
  return [
    {
      name: 'object',
      label: label('object'),
      kind: 'choice',
      single: true,
      pinned: true,
      options: objects.map(value => ({ value, label: nameOf({ object: value, object_id: 0 }, t) })),
    },
    { name: 'object_id', label: label('object_id'), kind: 'number' },
    { name: 'user_id', label: label('user_id'), kind: 'number' },
    { name: 'client_id', label: label('client_id'), kind: 'number' },
    { name: 'after', label: label('after'), kind: 'date' },
    { name: 'before', label: label('before'), kind: 'date' },
  ]
}

function who({ user, user_id: id }: Entry, tenant: string): string {
  if (user) return user
  return id === null ? tenant : `#${id}`
}

/** Translated action; the name of the call without a translation. */
function actionOf({ action }: Pick<Entry, 'action'>, t: TFunction): string {
  return t([`history.action.${action}`, `platform.audit.actions.${action}`], { defaultValue: action })
}

/** "Campaigns 7": the entity's name with the record's id. */
function nameOf({ object, object_id: id }: Pick<Entry, 'object' | 'object_id'>, t: TFunction): string {
  const entity = resourceOf(object)?.entity
  const name = entity
    ? t(`platform.entities.${entity}`)
    : t(`platform.audit.objects.${object}`, { defaultValue: object })
  return id ? `${name} ${id}` : name
}

/** Text key prefix of a record's fields. */
function namesOf(object: string): string {
  const { area = 'platform', name = object } = resourceOf(object) ?? {}
  return `${area}.${name}`
}

/** The resource of a log entry. Calls without an entry of their own are logged by path: `guided-tour`. */
function resourceOf(object: string) {
  return resources.find(({ name }) => name === object.replaceAll('-', '_'))
}
