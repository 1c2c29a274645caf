import { queryKeys } from '@emma/client/query-keys.ts'
import { checkAddress } from '@emma/contract/actions/address-check.ts'
import { email as emailField } from '@emma/contract/fields.ts'
import { TextSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { EmptyState, ErrorState } from '@emma/ui/feedback/states.tsx'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Page } from '../../../shell/layout/page.tsx'
import { api } from '../../../shell/session/api.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { type AddressCheck as Found, verdictOf } from './address-verdict.ts'

/** Why an address (`?email=`) gets no mail: its state in each datasource, suppression lists, own choices, last mails. */
export default function AddressCheck(): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const search: Record<string, unknown> = useSearch({ strict: false })
  const parsed = emailField.safeParse(search.email)
  const email = parsed.success ? parsed.data : null
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.action(checkAddress, { email, clientId }),
    queryFn: ({ signal }) =>
      api.call(checkAddress, { query: { email: email ?? '' }, signal, ignoreCache: true }),
    enabled: email !== null,
  })
  return (
    <Page title={t('screens.address_check')} subtitle={t('audience.address_check.intro')}>
      <Stack gap="lg">
        <AddressForm key={email ?? ''} initial={email ?? ''} isLoading={isFetching} />
        {error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && email !== null && <TextSkeleton />}
        {data && (
          <>
            <Verdict found={data} />
            <Members found={data} />
            <Entries found={data} />
            <Mails found={data} />
          </>
        )}
      </Stack>
    </Page>
  )
}

function AddressForm({ initial, isLoading }: { initial: string; isLoading: boolean }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [text, setText] = useState(initial)
  const [error, setError] = useState<string | null>(null)
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        const parsed = emailField.safeParse(text)
        if (!parsed.success) return setError(t('audience.address_check.no_address'))
        void navigate({ to: '.', search: { email: parsed.data } })
      }}
    >
      <Group align="flex-start" gap="sm">
        <TextInput
          flex="1 1 240px"
          maw={420}
          type="email"
          aria-label={t('audience.member.fields.email')}
          placeholder="anna@example.com"
          value={text}
          error={error}
          onChange={event => {
            setText(event.currentTarget.value)
            setError(null)
          }}
        />
        <Button type="submit" loading={isLoading} leftSection={<IconSearch size={16} />}>
          {t('audience.address_check.check')}
        </Button>
      </Group>
    </form>
  )
}

const colors = { suppressed: 'red', stopped: 'red', nowhere: 'gray', paused: 'yellow', may: 'green' } as const

function Verdict({ found }: { found: Found }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { kind, datasources } = verdictOf(found)
  const { frequency, paused_until: until } = found
  return (
    <Alert
      role="status"
      variant="light"
      color={colors[kind]}
      title={t(`audience.address_check.verdicts.${kind}`, { email: found.email })}
    >
      {datasources.length > 0 && (
        <div>{t('audience.address_check.from', { names: format.list(datasources) })}</div>
      )}
      {until !== null && <div>{t('audience.address_check.paused', { date: format.date(until) })}</div>}
      {frequency !== 'all' && <div>{t(`audience.address_check.frequency.${frequency}`)}</div>}
      {found.entries.some(entry => entry.in_force && entry.kind === 'campaign') && (
        <div>{t('audience.address_check.campaign_lists')}</div>
      )}
    </Alert>
  )
}

function Members({ found: { members } }: { found: Found }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const day = (value: string | null) => (value === null ? '–' : format.date(value))
  return (
    <Card title={t('audience.address_check.datasources')} isFlush={members.length > 0}>
      {members.length === 0 && <Text size="sm">{t('audience.address_check.no_datasource')}</Text>}
      {members.length > 0 && (
        <SmallTable
          label={t('audience.address_check.datasources')}
          rows={members}
          rowKey={row => `${row.member_table_id}.${row.member_id}`}
          minWidth={640}
          columns={[
            {
              id: 'datasource',
              header: t('audience.address_check.datasource'),
              cell: row => (
                <Anchor
                  inherit
                  renderRoot={props => (
                    <Link
                      to="/subscribers/edit/$id"
                      params={{ id: String(row.member_id) }}
                      search={{ table: row.member_table_id }}
                      {...props}
                    />
                  )}
                >
                  {row.datasource}
                </Anchor>
              ),
            },
            {
              id: 'state',
              header: t('audience.member.fields.state'),
              cell: row => (
                <StatusBadge tone={row.reason === null ? 'positive' : 'negative'}>
                  {t(`audience.address_check.reasons.${row.reason ?? 'none'}`)}
                </StatusBadge>
              ),
            },
            {
              id: 'since',
              header: t('audience.address_check.since'),
              cell: row => day(row.dateunjoin ?? row.hardbounced_at ?? row.complained_at ?? row.datejoin),
              width: 140,
            },
            {
              id: 'softbounces',
              header: t('audience.member.fields.softbounce_count'),
              cell: row => format.number(row.softbounce_count),
              align: 'end',
              width: 130,
            },
          ]}
        />
      )}
    </Card>
  )
}

function Entries({ found: { entries } }: { found: Found }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Card title={t('audience.address_check.lists')} isFlush={entries.length > 0}>
      {entries.length === 0 && <Text size="sm">{t('audience.address_check.no_list')}</Text>}
      {entries.length > 0 && (
        <SmallTable
          label={t('audience.address_check.lists')}
          rows={entries}
          rowKey={row => `${row.kind}.${row.blacklist_id}.${row.match}.${row.value}`}
          minWidth={720}
          columns={[
            {
              id: 'list',
              header: t('audience.address_check.list'),
              cell: row => (
                <>
                  {row.name ?? t(`audience.address_check.kinds.${row.kind}`)}
                  {row.match === 'domain' && <Text size="xs">{row.value}</Text>}
                </>
              ),
            },
            {
              id: 'state',
              header: t('audience.member.fields.state'),
              cell: row => (
                <StatusBadge tone={row.in_force ? 'negative' : 'neutral'}>
                  {t(`audience.address_check.${row.in_force ? 'in_force' : 'not_in_force'}`)}
                </StatusBadge>
              ),
              width: 170,
            },
            {
              id: 'why',
              header: t('audience.address_check.why'),
              cell: row => [row.reason, row.source, row.added_by].filter(Boolean).join(' · ') || '–',
            },
            {
              id: 'since',
              header: t('audience.address_check.since'),
              cell: row => format.date(row.created_at),
              width: 130,
            },
            {
              id: 'until',
              header: t('audience.address_check.until'),
              cell: row => (row.expires_at === null ? '–' : format.date(row.expires_at)),
              width: 130,
            },
          ]}
        />
      )}
    </Card>
  )
}

function Mails({ found: { mails } }: { found: Found }): ReactNode {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  const known = (key: string, text: string) => (i18n.exists(key) ? t(key) : text)
  if (mails.length === 0) return <EmptyState title={t('audience.address_check.no_mails')} />
  return (
    <Card title={t('audience.address_check.mails')} isFlush>
      <SmallTable
        label={t('audience.address_check.mails')}
        rows={mails}
        rowKey={row => `${row.campagne_id}.${row.ts}`}
        minWidth={640}
        columns={[
          {
            id: 'campaign',
            header: t('screens.campaign'),
            cell: row => (
              <Anchor
                inherit
                renderRoot={props => (
                  <Link to="/campaigns/reports/$id" params={{ id: String(row.campagne_id) }} {...props} />
                )}
              >
                {row.campaign}
              </Anchor>
            ),
          },
          {
            id: 'state',
            header: t('audience.member.fields.state'),
            cell: row => known(`audience.activity.types.${row.state}`, row.state),
          },
          {
            id: 'why',
            header: t('audience.address_check.why'),
            cell: row =>
              row.skip_reason === null
                ? (row.reply ?? '–')
                : known(`audience.activity.reasons.${row.skip_reason}`, row.skip_reason),
          },
          {
            id: 'ts',
            header: t('audience.address_check.time'),
            cell: row => (row.ts === null ? '–' : format.dateTime(row.ts)),
            width: 180,
          },
        ]}
      />
    </Card>
  )
}
