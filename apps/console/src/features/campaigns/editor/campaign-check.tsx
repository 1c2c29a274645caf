import { queryKeys } from '@emma/client/query-keys.ts'
import { checkCampaign } from '@emma/contract/actions/campaigns.ts'
import { isApprovedStart } from '@emma/contract/approval.ts'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { fault } from '@emma/contract/faults.ts'
import { campaign as campaigns } from '@emma/contract/resources/campaign.ts'
import { BlockSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { ErrorState } from '@emma/ui/feedback/states.tsx'
import { Card } from '@emma/ui/layout/card.tsx'
import { draftKey, readDraft, removeDraft } from '@emma/ui/form/draft.ts'
import { KeyValue } from '@emma/ui/layout/key-value.tsx'
import { useUiSettings } from '@emma/ui/ui-settings.tsx'
import { browserZone } from '@emma/ui/clock.ts'
import { useFormat, useTimeZone } from '@emma/ui/i18n.tsx'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconCalendarEvent, IconCalendarOff, IconPencil, IconRefresh, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../../shell/i18n/text-of-fault.ts'
import { api } from '../../../shell/session/api.ts'
import { useRights } from '../../../shell/session/use-rights.ts'
import { CampaignApproval, useApprovedAt } from './campaign-approval.tsx'
import { CampaignFindings } from './campaign-findings.tsx'
import { CampaignPath } from './campaign-path.tsx'
import { CommentsCard } from '../comments/comments-card.tsx'
import { CampaignReason } from '../campaign-reason.tsx'
import { type Campaign, senderOf, stepStates } from './campaign-steps.ts'
import classes from '../campaigns.module.css'
import { MessagePreview } from './message-preview.tsx'
import { SendingTime } from './sending-time.tsx'
import { MoveButton } from '../move-button.tsx'
import type { Finding } from './finding.ts'

/** Check of a campaign before its start: findings, number of recipients, and the start button. */
export function CampaignCheck({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const { campagne_id: id, revision } = campaign
  const check = useQuery({
    queryKey: queryKeys.action(checkCampaign, { id, revision }),
    queryFn: ({ signal }) => api.call(checkCampaign, { params: { id }, ignoreCache: true, signal }),
    // The checked records (domain, template, segment) are edited on other screens.
    staleTime: 0,
  })
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const errors = distinct(check.data?.errors ?? [])
  const warnings = distinct(check.data?.warnings ?? [])
  const { draft, discard } = useUnsavedDraft(campaign)
  const isBefore = campaign.valid === campaignState.draft || campaign.valid === campaignState.scheduled
  const isReady = check.data !== undefined && errors.length === 0 && draft === null
  return (
    <>
      <CampaignPath id={id} states={stepStates(campaign, campaign, check.data)} current="check" />
      <div className={classes.columns}>
        <div className={classes.stack}>
          <CampaignReason campaign={campaign} />
          {draft && <UnsavedDraft campaign={campaign} at={draft.at} onDiscard={discard} />}
          {check.isPending && <BlockSkeleton height={180} />}
          {check.error && <ErrorState error={check.error} onRetry={() => void check.refetch()} />}
          {check.data && (
            <Card
              title={t(errors.length > 0 ? 'campaigns.check.blocked' : 'campaigns.check.ready')}
              isFlush
              actions={
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconRefresh size={14} />}
                  loading={check.isFetching}
                  onClick={() => void check.refetch()}
                >
                  {t('campaigns.check.again')}
                </Button>
              }
            >
              <CampaignFindings
                campaign={campaign}
                errors={errors}
                warnings={warnings}
                recipients={check.data.recipients}
                ticked={ticked}
                onTick={setTicked}
              />
            </Card>
          )}
          {campaign.message_id !== null && (
            <MessagePreview
              messageId={campaign.message_id}
              listId={campaign.list_id}
              subject={campaign.subject}
              from={senderOf(campaign)}
            />
          )}
          <CommentsCard campaign={campaign} />
        </div>
        <div className={classes.stack}>
          <Card title={t('campaigns.check.summary')}>
            {check.data && <Recipients count={check.data.recipients} />}
            <Stack gap="md">
              <Summary campaign={campaign} />
              {isBefore && <SendingTime values={campaign} />}
            </Stack>
            <StartButtons
              campaign={campaign}
              recipients={check.data?.recipients ?? 0}
              isReady={isReady && warnings.every(({ message }) => ticked.has(message))}
              hasUnticked={isReady && warnings.length > 0}
            />
          </Card>
          <CampaignApproval campaign={campaign} onChanged={() => void check.refetch()} />
        </div>
      </div>
    </>
  )
}

/** Unsaved changes stored on this device: the campaign would be sent without them. */
function useUnsavedDraft({ campagne_id: id }: Campaign) {
  const { storageScope } = useUiSettings()
  const key = draftKey(campaigns.name, id, storageScope)
  const [draft, setDraft] = useState(() => readDraft(key))
  return {
    draft,
    discard: () => {
      removeDraft(key)
      setDraft(null)
    },
  }
}

interface UnsavedDraftProps {
  campaign: Campaign
  at: string
  onDiscard: () => void
}

function UnsavedDraft({ campaign, at, onDiscard }: UnsavedDraftProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconPencil size={18} aria-hidden />}
      title={t('campaigns.check.draft_title')}
    >
      <p className={classes.lead}>{t('campaigns.check.draft_text', { date: format.dateTime(at) })}</p>
      <Group gap="xs" mt="sm">
        <Button component={Link} to={`/campaigns/edit/${campaign.campagne_id}`} variant="default">
          {t('campaigns.check.draft_open')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          {t('campaigns.check.draft_discard')}
        </Button>
      </Group>
    </Alert>
  )
}

function Recipients({ count }: { count: number }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.recipients}>
      <strong>{format.number(count)}</strong>
      <span className={classes.dimmed}>{t('campaigns.check.recipients')}</span>
    </div>
  )
}

function Summary({ campaign }: { campaign: Campaign }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const timeZone = useTimeZone() ?? browserZone()
  const label = (field: string) => t(`campaigns.campaign.fields.${field}`)
  const { fromname, fromadr, startdate, throttle, throttle_unit, subject } = campaign
  const isLater = useIsLater(startdate)
  const startNow =
    startdate === null
      ? t('campaigns.start.now')
      : t('campaigns.check.time_passed', { date: format.dateTime(startdate) })
  return (
    <KeyValue
      entries={[
        { label: label('message_id'), value: nameOf(campaign['message']) },
        { label: label('subject'), value: subject },
        { label: label('list_id'), value: nameOf(campaign['list']) },
        {
          label: t('campaigns.steps.sender'),
          value: [fromname, fromadr].filter(Boolean).join(' · ') || null,
        },
        { label: label('mailclass_id'), value: nameOf(campaign['mailclass']) },
        {
          label: label('startdate'),
          value: isLater ? `${format.dateTime(startdate)} (${timeZone})` : startNow,
        },
        {
          label: label('throttle'),
          value:
            throttle === 0
              ? t('campaigns.check.class_speed')
              : `${format.number(throttle)} / ${t(`campaigns.units.${throttle_unit}`)}`,
        },
      ]}
    />
  )
}

interface StartButtonsProps {
  campaign: Campaign
  recipients: number
  isReady: boolean
  hasUnticked: boolean
}

function StartButtons({ campaign, recipients, isReady, hasUnticked }: StartButtonsProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { mayChange } = useRights(campaigns)
  const { startdate } = campaign
  const isLater = useIsLater(startdate)
  const refusal = useStartRefusal(campaign)
  const refusalId = useId()
  if (!mayChange) return null
  const isScheduled = campaign.valid === campaignState.scheduled
  const when = { date: format.dateTime(startdate), number: format.number(recipients) }
  return (
    <Stack gap="xs" mt="lg">
      {isScheduled && (
        <>
          <p className={classes.dimmed}>{t('campaigns.check.scheduled', when)}</p>
          <MoveButton
            campaign={campaign}
            action="cancel"
            variant="default"
            fullWidth
            label={t('campaigns.actions.cancel')}
            leftSection={<IconCalendarOff size={16} />}
          />
        </>
      )}
      {!isScheduled && isLater && (
        <MoveButton
          campaign={campaign}
          action="start"
          startdate={startdate}
          fullWidth
          disabled={!isReady}
          label={t('campaigns.actions.schedule', when)}
          leftSection={<IconCalendarEvent size={16} />}
        />
      )}
      <MoveButton
        campaign={campaign}
        action="start"
        startdate={null}
        fullWidth
        disabled={!isReady || refusal !== null}
        describedBy={refusal === null ? undefined : refusalId}
        variant={isLater ? 'default' : 'filled'}
        label={t('campaigns.actions.start')}
        leftSection={<IconSend size={16} />}
        question={{
          title: t('campaigns.check.question', when),
          text: t('campaigns.check.question_text'),
          confirmLabel: t('campaigns.actions.start'),
        }}
      />
      {refusal !== null && (
        <p id={refusalId} className={classes.dimmed}>
          {refusal}
        </p>
      )}
      {hasUnticked && !isReady && <p className={classes.dimmed}>{t('campaigns.check.tick')}</p>}
      <Button component={Link} to={`/campaigns/test/${campaign.campagne_id}`} variant="subtle" fullWidth>
        {t(`campaigns.check.${campaign.tested_at === null ? 'test_first' : 'test_again'}`)}
      </Button>
    </Stack>
  )
}

/** Why the campaign cannot be started now; null: its approval does not prevent it. */
function useStartRefusal(campaign: Campaign): string | null {
  const approvedAt = useApprovedAt(campaign)
  const { startdate: planned, valid } = campaign
  if (approvedAt === null || valid === campaignState.held) return null
  if (isApprovedStart({ planned, approvedAt }, null)) return null
  return textOfFault(fault('campaign.approval_start'))
}

/** True if the time was in the future when this screen was opened. */
function useIsLater(startdate: string | null): boolean {
  const [openedAt] = useState(() => Date.now())
  return startdate !== null && Date.parse(startdate) > openedAt
}

/** Removes findings with the same text, e.g. in subject and body. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map(finding => [keyOf(finding), finding])).values()]
}

function keyOf({ code, field, message }: Finding): string {
  return `${code} ${field} ${message}`
}

function nameOf(record: unknown): string | null {
  if (typeof record !== 'object' || record === null || !('name' in record)) return null
  return String(record.name)
}
