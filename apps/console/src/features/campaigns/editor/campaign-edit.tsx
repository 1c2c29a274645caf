import { campaignState, editableStates } from '@emma/contract/campaign-states.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { FormSkeleton } from '@emma/ui/feedback/skeletons.tsx'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { Alert, Button, Group } from '@mantine/core'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CampaignBadge } from '../../../shell/resource/campaign-state.tsx'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import { campaignFields, type CampaignValues } from './campaign-fields.ts'
import { isRestorable } from '../campaign-moves.ts'
import { PresetMenu } from '../presets/preset-menu.tsx'
import { useFirstValues } from '../presets/use-presets.ts'
import { CampaignPath } from './campaign-path.tsx'
import { AudienceSection, ContentSection, SenderSection, TimeSection } from './campaign-sections.tsx'
import { type Campaign, type CampaignStep, campaignSteps, senderOf, stepStates } from './campaign-steps.ts'
import { SpeedFields } from '../../../shell/sending/speed-fields.tsx'
import { SplitSection } from '../../../shell/sending/split/split-section.tsx'
import { isQuietSpan, withQuietMinutes } from '../../../shell/sending/quiet-hours.ts'
import classes from '../campaigns.module.css'
import { MessagePreview } from './message-preview.tsx'
import { MoveButton } from '../move-button.tsx'

const included = ['message']
const badgeOf = (record: Campaign) => <CampaignBadge valid={record.valid} />

/** Form of a campaign before its start: content, audience, sender and time, with a preview of the message. */
export default function CampaignEdit(): ReactNode {
  return (
    <RecordPage resource={campaign} included={included} subtitle={badgeOf}>
      {record =>
        record && !editableStates.some(state => state === record.valid) ? (
          <Fixed record={record} />
        ) : (
          <FilledForm record={record} />
        )
      }
    </RecordPage>
  )
}

/** The form, once the first values of a new campaign are there. */
function FilledForm({ record }: { record: Campaign | null }): ReactNode {
  const initial = useFirstValues(record === null)
  return initial === null ? <FormSkeleton /> : <CampaignForm record={record} initial={initial} />
}

interface CampaignFormProps {
  record: Campaign | null
  initial: Partial<CampaignValues>
}

function CampaignForm({ record, initial }: CampaignFormProps): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isPaused = record?.valid === campaignState.paused
  const id = record?.campagne_id ?? null
  const form = useResourceForm(campaign, record, {
    fields: campaignFields,
    initial,
    toValues: withQuietMinutes,
    validate: ({ startdate, ...values }) => ({
      startdate:
        startdate !== null && startdate !== record?.startdate && Date.parse(startdate) <= Date.now()
          ? t('campaigns.hints.startdate_past')
          : null,
      quiet_from: isQuietSpan(values) ? null : t('campaigns.hints.clock'),
    }),
    isRemovable: () => !isPaused,
    isRestorable,
    afterCreate: 'record',
  })
  const { current, goTo, follow } = useSections()

  /** Test and check use the saved campaign, so unsaved changes are saved first. */
  async function saveAndGo(step: 'test' | 'check'): Promise<void> {
    if (form.isDirtyNow() && !(await form.submit())) return
    const to = step === 'test' ? '/campaigns/test/$id' : '/campaigns/start/$id'
    await navigate({ to, params: { id: String(id) } })
  }

  const { message_id: messageId, list_id: listId, subject } = form.values
  const mayEdit = usePermission({ all: ['EmmaMessage:get'] })
  const editTemplate =
    mayEdit && id !== null && messageId !== null
      ? async () => {
          if (form.isDirtyNow() && !(await form.submit())) return
          const params = { id: String(messageId) }
          await navigate({ to: '/templates/edit/$id', params, search: { campaign: id } })
        }
      : undefined
  return (
    <>
      <CampaignPath
        id={id}
        states={stepStates(form.values, form.isDirty ? null : record)}
        current={current}
        onSection={goTo}
        onLeave={step => void saveAndGo(step)}
      />
      <div className={classes.split}>
        <div onFocusCapture={event => follow(event.target)}>
          {!isPaused && <PresetMenu form={form} />}
          <RecordForm
            form={form}
            saveLabel={id === null ? t('campaigns.create') : undefined}
            actions={
              id !== null && (
                <Button variant="default" onClick={() => void saveAndGo('check')}>
                  {t('campaigns.actions.check')}
                </Button>
              )
            }
          >
            {isPaused ? (
              <FormSection title={t('campaigns.steps.time')} description={t('campaigns.paused_text')}>
                <SpeedFields form={form} />
              </FormSection>
            ) : (
              <>
                <ContentSection
                  form={form}
                  onNext={goTo}
                  onEditTemplate={editTemplate && (() => void editTemplate())}
                />
                <AudienceSection form={form} onNext={goTo} />
                <SenderSection form={form} onNext={goTo} />
                <TimeSection form={form} />
                <SplitSection form={form} description={t('campaigns.split.text')} />
              </>
            )}
          </RecordForm>
        </div>
        <aside className={classes.beside} aria-label={t('campaigns.preview.title')}>
          <MessagePreview
            messageId={messageId}
            listId={listId}
            subject={subject}
            from={senderOf(form.values)}
          />
        </aside>
      </div>
    </>
  )
}

/** The current section of the form; a section's name in the URL hash opens it. */
function useSections() {
  const { hash } = useLocation()
  const [current, setCurrent] = useState<CampaignStep>(stepNamed(hash) ?? 'content')
  useEffect(() => {
    const step = stepNamed(hash)
    if (step) requestAnimationFrame(() => document.getElementById(step)?.scrollIntoView())
  }, [hash])
  return {
    current,
    goTo: (step: CampaignStep) => {
      setCurrent(step)
      const section = document.getElementById(step)
      section?.scrollIntoView({ behavior: 'smooth' })
      section?.querySelector<HTMLElement>('input, [role="combobox"]')?.focus({ preventScroll: true })
    },
    follow: (target: Element) => {
      const step = stepNamed(target.closest('section[id]')?.id ?? '')
      if (step) setCurrent(step)
    },
  }
}

function stepNamed(name: string): CampaignStep | undefined {
  return campaignSteps.find(step => step === name)
}

/** Shown in place of the form once a campaign has started, with links to its other screens. */
function Fixed({ record }: { record: Campaign }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const params = { id: String(record.campagne_id) }
  return (
    <Alert variant="light" title={t('campaigns.fixed_title')}>
      <p className={classes.lead}>{t('campaigns.fixed_text')}</p>
      <Group gap="xs" mt="sm">
        <Button component={Link} to={`/campaigns/start/${params.id}`}>
          {t('campaigns.actions.monitor')}
        </Button>
        <Button component={Link} to={`/campaigns/reports/${params.id}`} variant="default">
          {t('campaigns.actions.report')}
        </Button>
        <MoveButton
          campaign={record}
          action="copy"
          label={t('campaigns.actions.copy')}
          variant="default"
          onMoved={id => void navigate({ to: '/campaigns/edit/$id', params: { id: String(id) } })}
        />
      </Group>
    </Alert>
  )
}
