import { testMessage } from '@emma/contract/actions/content.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { testgroup } from '@emma/contract/resources/testgroup.ts'
import { email as emailField } from '@emma/contract/fields.ts'
import { EmptyState } from '@emma/ui/feedback/states.tsx'
import { TagsBox } from '@emma/ui/form/tags-box.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { SmallTable } from '@emma/ui/layout/small-table.tsx'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import { Select } from '@emma/ui/select/select.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Alert, Button, Input, Stack, Text, TextInput } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { api } from '../../../shell/session/api.ts'
import { CampaignBadge } from '../../../shell/resource/campaign-state.tsx'
import { errorText } from '../../../shell/i18n/error-text.ts'
import { NotFoundScreen } from '../../../shell/states/not-found-screen.tsx'
import { refresh } from '../../../shell/resource/record-calls.ts'
import { RecordPage, useRecordId } from '../../../shell/layout/record-page.tsx'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { useClientId } from '../../../shell/session/use-session.ts'
import { HistoryLinks } from '../test-history/history-links.tsx'
import { PlacementCard } from '../placement/placement-card.tsx'
import { CampaignPath } from './campaign-path.tsx'
import { type Campaign, senderOf, stepStates } from './campaign-steps.ts'
import classes from '../campaigns.module.css'
import { MessagePreview } from './message-preview.tsx'

type Result = z.infer<typeof testMessage.response>['results'][number]

const included = ['message']
const badgeOf = (record: Campaign) => <CampaignBadge valid={record.valid} />

/** Sends a campaign's message to test addresses and shows the servers' replies. */
export default function CampaignTest(): ReactNode {
  const { t } = useTranslation()
  if (useRecordId() === null) return <NotFoundScreen />
  return (
    <RecordPage
      resource={campaign}
      back="/campaigns/archive"
      included={included}
      title={record => record?.name ?? t('screens.campaign_test')}
      subtitle={badgeOf}
    >
      {record => record && <TestScreen campaign={record} />}
    </RecordPage>
  )
}

function TestScreen({ campaign: record }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const [results, setResults] = useState<readonly Result[]>([])
  const { campagne_id: id, message_id: messageId, list_id: listId, subject } = record
  const format = useFormat()
  return (
    <>
      <CampaignPath id={id} states={stepStates(record, record)} current="test" />
      {messageId === null ? (
        <EmptyState
          title={t('campaigns.test.no_message')}
          action={
            <Button component={Link} to={`/campaigns/edit/${id}#content`}>
              {t('campaigns.test.choose_message')}
            </Button>
          }
        />
      ) : (
        <div className={classes.split}>
          <div className={classes.stack}>
            <Card title={t('campaigns.test.title')}>
              <TestForm
                campaign={record}
                messageId={messageId}
                onSent={sent => setResults(before => [...sent, ...before])}
              />
            </Card>
            {results.length === 0 && record.tested_at !== null && (
              <Text size="sm" c="dimmed">
                {t('campaigns.test.tested', { when: format.relative(record.tested_at) })}
              </Text>
            )}
            {results.length > 0 && <Results results={results} />}
            <PlacementCard campaign={record} />
            <HistoryLinks campaign={record} />
          </div>
          <aside className={classes.beside} aria-label={t('campaigns.preview.title')}>
            <MessagePreview messageId={messageId} listId={listId} subject={subject} from={senderOf(record)} />
          </aside>
        </div>
      )}
    </>
  )
}

interface TestFormProps {
  campaign: Campaign
  messageId: number
  onSent: (results: readonly Result[]) => void
}

function TestForm({ campaign: record, messageId, onSent }: TestFormProps): ReactNode {
  const { t } = useTranslation()
  const clientId = useClientId()
  const format = useFormat()
  const [emails, setEmails] = useState<string[]>([])
  const [groupId, setGroupId] = useState<number | null>(record.test_group_id)
  const [prefix, setPrefix] = useState('[TEST] ')
  const [wasAsked, setAsked] = useState(false)
  const bad = emails.filter(address => !isAddress(address))
  const isNobody = emails.length === 0 && groupId === null
  const groups = useMemo(
    () =>
      resourceSource(api, testgroup, {
        toOption: row => ({
          label: row.name,
          description: t('campaigns.test.addresses', { count: row.address_ids.length }),
        }),
        sort: { field: 'name', descending: false },
      }),
    [t],
  )
  const sending = useMutation({
    mutationFn: () =>
      api.call(testMessage, {
        params: { client_id: clientId },
        body: {
          message_id: messageId,
          campagne_id: record.campagne_id,
          emails,
          test_group_id: groupId,
          domain_id: record.domain_id,
          subject_prefix: prefix,
        },
      }),
    onSuccess: ({ results }) => {
      onSent(results)
      // The test is stored in the campaign.
      return refresh(campaign)
    },
  })
  const nobody = wasAsked && isNobody ? t('campaigns.test.nobody') : null
  const fault =
    bad.length > 0
      ? t('campaigns.test.bad_address', { count: bad.length, addresses: format.list(bad) })
      : nobody
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        setAsked(true)
        if (bad.length === 0 && !isNobody) sending.mutate()
      }}
    >
      <Stack gap="md">
        <TagsBox
          label={t('campaigns.test.emails')}
          description={t('campaigns.test.emails_text')}
          placeholder={emails.length === 0 ? 'qa@example.com' : ''}
          splitChars={[',', ';', ' ', '\n']}
          maxTags={50}
          isValid={isAddress}
          error={fault}
          value={emails}
          onChange={setEmails}
        />
        <Input.Wrapper
          id="test-group"
          label={t('campaigns.test.group')}
          labelProps={{ htmlFor: 'test-group' }}
        >
          <Select
            inputId="test-group"
            label={t('campaigns.test.group')}
            source={groups}
            isClearable
            value={groupId}
            onChange={setGroupId}
          />
        </Input.Wrapper>
        <TextInput
          label={t('campaigns.test.prefix')}
          description={t('campaigns.test.prefix_text')}
          maxLength={50}
          value={prefix}
          onChange={event => setPrefix(event.currentTarget.value)}
        />
        {sending.error && (
          <Alert variant="light" color="red">
            {errorText(sending.error)}
          </Alert>
        )}
        <div>
          <Button type="submit" leftSection={<IconMailForward size={16} />} loading={sending.isPending}>
            {t('campaigns.test.send')}
          </Button>
        </div>
      </Stack>
    </form>
  )
}

function Results({ results }: { results: readonly Result[] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Card title={t('campaigns.test.results')} isFlush>
      <div aria-live="polite">
        <SmallTable
          label={t('campaigns.test.results')}
          rows={results.map((result, index) => ({ ...result, place: results.length - index }))}
          rowKey={result => result.place}
          columns={[
            { id: 'email', header: t('campaigns.test.email'), cell: result => result.email },
            {
              id: 'outcome',
              header: t('campaigns.test.outcome'),
              width: 130,
              cell: result => (
                <StatusBadge tone={isAccepted(result) ? 'positive' : 'negative'}>
                  {t(`campaigns.test.outcomes.${result.outcome}`)}
                </StatusBadge>
              ),
            },
            {
              id: 'reply',
              header: t('campaigns.test.reply'),
              cell: result => textOfFault({ ...result, code: result.reason, message: result.reply }),
            },
          ]}
        />
      </div>
    </Card>
  )
}

function isAddress(address: string): boolean {
  return emailField.safeParse(address).success
}

function isAccepted({ outcome }: Result): boolean {
  return outcome === 'sent'
}
