import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { DateTimeField } from '@emma/ui/form/fields/date-time-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Button, Input, SegmentedControl } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AudienceFields } from '../../../shell/sending/audience-fields.tsx'
import { DeliveryFields } from '../../../shell/sending/delivery-fields.tsx'
import { deliveryFields } from '../../../shell/sending/sending-values.ts'
import { LearnedTimeFields } from '../../../shell/sending/learned-time-fields.tsx'
import { SenderFields } from '../../../shell/sending/sender-fields.tsx'
import { SendingOptions } from '../../../shell/sending/sending-options.tsx'
import { TemplateFields } from '../../../shell/sending/template-fields.tsx'
import type { CampaignValues } from './campaign-fields.ts'
import type { CampaignStep } from './campaign-steps.ts'
import { SendingTime } from './sending-time.tsx'

interface SectionProps {
  form: RecordForm<CampaignValues>
}

interface StepSectionProps extends SectionProps {
  /** Goes to the next section. */
  onNext: (step: CampaignStep) => void
}

const timeOptions = [...deliveryFields, 'missed_policy', 'missed_minutes'] as const

function NextButton({ to, onNext }: { to: CampaignStep; onNext: StepSectionProps['onNext'] }): ReactNode {
  const { t } = useTranslation()
  return (
    <Button
      w="fit-content"
      variant="default"
      rightSection={<IconArrowDown size={16} />}
      onClick={() => onNext(to)}
    >
      {t('campaigns.next', { step: t(`campaigns.steps.${to}`) })}
    </Button>
  )
}

interface ContentSectionProps extends StepSectionProps {
  /** Opens the template; undefined for users who may not. */
  onEditTemplate: (() => void) | undefined
}

/** Section of the template and the subject. */
export function ContentSection({ form, onNext, onEditTemplate }: ContentSectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection
      id="content"
      title={t('campaigns.steps.content')}
      description={t('campaigns.sections.content')}
    >
      <TextField form={form} name="name" description={t('campaigns.hints.name')} maxLength={255} />
      <TemplateFields form={form}>
        {onEditTemplate && (
          <Button w="fit-content" size="xs" variant="subtle" onClick={onEditTemplate}>
            {t('campaigns.edit_template')}
          </Button>
        )}
      </TemplateFields>
      <NextButton to="audience" onNext={onNext} />
    </FormSection>
  )
}

/** Section of the audience. */
export function AudienceSection({ form, onNext }: StepSectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection
      id="audience"
      title={t('campaigns.steps.audience')}
      description={t('campaigns.sections.audience')}
    >
      <AudienceFields form={form} />
      <NextButton to="sender" onNext={onNext} />
    </FormSection>
  )
}

/** Section of the sender. */
export function SenderSection({ form, onNext }: StepSectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormSection id="sender" title={t('campaigns.steps.sender')} description={t('campaigns.sections.sender')}>
      <SenderFields form={form} />
      <NextButton to="time" onNext={onNext} />
    </FormSection>
  )
}

/** Section of start time and speed. */
export function TimeSection({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  const startId = form.idOf('start')
  const [openedAt] = useState(() => new Date().toISOString())
  return (
    <FormSection id="time" title={t('campaigns.steps.time')} description={t('campaigns.sections.time')}>
      <Input.Wrapper id={startId} labelElement="div" label={t('campaigns.start.label')}>
        <SegmentedControl
          fullWidth
          aria-label={t('campaigns.start.label')}
          data={[
            { value: 'now', label: t('campaigns.start.now') },
            { value: 'later', label: t('campaigns.start.later') },
          ]}
          value={form.values.startdate === null ? 'now' : 'later'}
          onChange={choice => form.set('startdate', choice === 'now' ? null : nextFullHour())}
        />
      </Input.Wrapper>
      {form.values.startdate !== null && (
        <DateTimeField form={form} name="startdate" min={openedAt} isClearable={false} />
      )}
      {form.values.startdate !== null && (
        <SwitchField form={form} name="local_time" description={t('campaigns.hints.local_time')} />
      )}
      {form.values.startdate !== null && form.values.local_time && (
        <ChoiceField
          form={form}
          name="local_past"
          choices={(['tomorrow', 'now', 'skip'] as const).map(value => ({
            value,
            label: t(`campaigns.local_pasts.${value}`),
          }))}
        />
      )}
      <LearnedTimeFields form={form} />
      <SendingOptions form={form} names={timeOptions}>
        <DeliveryFields form={form} listId={form.values.list_id}>
          {form.values.startdate !== null && <MissedFields form={form} />}
        </DeliveryFields>
      </SendingOptions>
      <SendingTime values={form.values} />
    </FormSection>
  )
}

/** Field of what happens to a start time that was missed while no engine was running. */
function MissedFields({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormRow>
      <ChoiceField
        form={form}
        name="missed_policy"
        choices={(['send', 'skip', 'ask'] as const).map(value => ({
          value,
          label: t(`campaigns.missed_policies.${value}`),
        }))}
      />
      {form.values.missed_policy !== 'send' && (
        <NumberField
          form={form}
          name="missed_minutes"
          min={1}
          decimals={0}
          description={t('campaigns.hints.missed_minutes')}
        />
      )}
    </FormRow>
  )
}

function nextFullHour(): string {
  const hour = 3_600_000
  return new Date(Math.ceil((Date.now() + hour / 2) / hour) * hour).toISOString()
}
