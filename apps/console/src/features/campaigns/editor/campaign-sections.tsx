import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { initialValues } from '@emma/contract/resource-schemas.ts'
import { campaign } from '@emma/contract/resources/campaign.ts'
import { capping } from '@emma/contract/resources/capping.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { espLogin } from '@emma/contract/resources/esp-login.ts'
import { list } from '@emma/contract/resources/list.ts'
import { mailclass, throttleUnits } from '@emma/contract/resources/mailclass.ts'
import { message } from '@emma/contract/resources/message.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { DateTimeField } from '@emma/ui/form/fields/date-time-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { MultiSelectField, SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { mailPicture } from '@emma/ui/mail-preview/mail-picture.ts'
import { isSame } from '@emma/ui/form/merge-versions.ts'
import { MoreFields } from '@emma/ui/form/more-fields.tsx'
import { Button, Input, SegmentedControl } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { Can } from '../../../shell/session/can.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { CategoryFields } from '../categories/category-fields.tsx'
import { AudienceCount } from './audience-count.tsx'
import type { CampaignValues } from './campaign-fields.ts'
import type { CampaignStep } from './campaign-steps.ts'

interface SectionProps {
  form: RecordForm<CampaignValues>
}

interface StepSectionProps extends SectionProps {
  /** Goes to the next section. */
  onNext: (step: CampaignStep) => void
}

const blank: Readonly<Record<string, unknown>> = initialValues(campaign)

interface OptionsProps extends SectionProps {
  names: readonly (keyof CampaignValues)[]
  children: ReactNode
}

/** Fields of delivery that most campaigns leave as they are. */
function Options({ form, names, children }: OptionsProps): ReactNode {
  const { t } = useTranslation()
  const isInUse = names.some(name => !isSame(form.values[name], blank[name]))
  return (
    <MoreFields form={form} names={names} isInUse={isInUse} label={t('campaigns.options')}>
      {children}
    </MoreFields>
  )
}

const timeOptions = [
  'throttle',
  'throttle_unit',
  'quiet_from',
  'quiet_to',
  'window_mails',
  'window_minutes',
  'missed_policy',
  'missed_minutes',
  'unknown_policy',
] as const

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

const byName = { field: 'name', descending: false }

/** Picture of a template that has none from the server. */
function drawnHere(html: string | null) {
  const picture = mailPicture(html)
  return picture === null ? null : { url_small: picture, url_large: picture }
}

interface ContentSectionProps extends StepSectionProps {
  /** Opens the template; undefined for users who may not. */
  onEditTemplate: (() => void) | undefined
}

/** Section of the template and the subject. */
export function ContentSection({ form, onNext, onEditTemplate }: ContentSectionProps): ReactNode {
  const { t } = useTranslation()
  const messages = useMemo(
    () =>
      resourceSource(api, message, {
        toOption: ({ name, subject, screenshot, body_long }) => ({
          label: name,
          description: subject,
          screenshot: screenshot ?? drawnHere(body_long),
        }),
        filters: { template_type: ['email'] },
        sort: byName,
      }),
    [],
  )
  return (
    <FormSection
      id="content"
      title={t('campaigns.steps.content')}
      description={t('campaigns.sections.content')}
    >
      <TextField form={form} name="name" description={t('campaigns.hints.name')} maxLength={255} />
      <SelectField form={form} name="message_id" source={messages} isClearable />
      {onEditTemplate && (
        <Button w="fit-content" size="xs" variant="subtle" onClick={onEditTemplate}>
          {t('campaigns.edit_template')}
        </Button>
      )}
      <TextField form={form} name="subject" description={t('campaigns.hints.subject')} maxLength={998} />
      <CategoryFields form={form} />
      <NextButton to="audience" onNext={onNext} />
    </FormSection>
  )
}

/** Section of the audience. */
export function AudienceSection({ form, onNext }: StepSectionProps): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { data: datasources } = useDatasources()
  const segments = useMemo(
    () =>
      resourceSource(api, list, {
        toOption: row => {
          const datasource = datasources?.find(one => one.member_table_id === row.member_table_id)?.name
          const members =
            row.count === null || row.counted_at === null
              ? undefined
              : t('campaigns.members', {
                  number: format.number(row.count),
                  time: format.dateTime(row.counted_at),
                })
          const description = [datasource, members].filter(part => part !== undefined).join(' · ')
          return { label: row.name, ...(description === '' ? {} : { description }) }
        },
        sort: byName,
      }),
    [t, format, datasources],
  )
  const blacklists = useMemo(
    () =>
      resourceSource(api, blacklist, {
        toOption: row => ({
          label: row.name,
          description: t('campaigns.entries', { number: format.number(row.count) }),
        }),
        filters: { type: ['campaign'] },
        sort: byName,
      }),
    [t, format],
  )
  const cappings = useMemo(
    () => resourceSource(api, capping, { toOption: row => ({ label: row.name }), sort: byName }),
    [],
  )
  return (
    <FormSection
      id="audience"
      title={t('campaigns.steps.audience')}
      description={t('campaigns.sections.audience')}
    >
      <SelectField form={form} name="list_id" source={segments} isClearable />
      <Options form={form} names={['exclude_list_ids', 'blacklist_ids', 'capping_id']}>
        <MultiSelectField
          form={form}
          name="exclude_list_ids"
          source={segments}
          description={t('campaigns.hints.exclude_list_ids')}
        />
        <MultiSelectField
          form={form}
          name="blacklist_ids"
          source={blacklists}
          description={t('campaigns.hints.blacklist_ids')}
        />
        <SelectField
          form={form}
          name="capping_id"
          source={cappings}
          isClearable
          description={t('campaigns.hints.capping_id')}
        />
      </Options>
      <AudienceCount values={form.values} />
      <NextButton to="sender" onNext={onNext} />
    </FormSection>
  )
}

/** Section of the sender. */
export function SenderSection({ form, onNext }: StepSectionProps): ReactNode {
  const { t } = useTranslation()
  const domains = useMemo(
    () =>
      resourceSource(api, domain, {
        toOption: row => ({ label: row.name, description: t(`deliverability.domain.states.${row.status}`) }),
        sort: byName,
      }),
    [t],
  )
  const mailclasses = useMemo(
    () =>
      resourceSource(api, mailclass, {
        toOption: row => ({ label: row.name, ...(row.description ? { description: row.description } : {}) }),
        filters: { onlyactive: [true] },
        sort: byName,
      }),
    [],
  )
  const services = useMemo(
    () =>
      resourceSource(api, espLogin, {
        toOption: row => ({ label: row.name }),
        filters: { onlyactive: [true] },
        sort: byName,
      }),
    [],
  )
  return (
    <FormSection id="sender" title={t('campaigns.steps.sender')} description={t('campaigns.sections.sender')}>
      <SelectField form={form} name="domain_id" source={domains} isClearable />
      <FormRow>
        <TextField form={form} name="fromname" />
        <TextField form={form} name="fromadr" type="email" placeholder="news@example.com" />
      </FormRow>
      <SelectField
        form={form}
        name="mailclass_id"
        source={mailclasses}
        isClearable
        description={t('campaigns.hints.mailclass_id')}
      />
      <Options form={form} names={['reply_to', 'esp_id']}>
        <TextField
          form={form}
          name="reply_to"
          type="email"
          description={t('campaigns.hints.reply_to')}
          placeholder={form.values.fromadr ?? ''}
        />
        <Can demand={{ all: ['EmmaEspLogin:get'] }}>
          <SelectField
            form={form}
            name="esp_id"
            source={services}
            isClearable
            description={t('campaigns.hints.esp_id')}
          />
        </Can>
      </Options>
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
      <Options form={form} names={timeOptions}>
        <SpeedFields form={form} />
        <WindowFields form={form} />
        {form.values.startdate !== null && <MissedFields form={form} />}
        <ChoiceField
          form={form}
          name="unknown_policy"
          look="radio"
          choices={(['leave', 'resend'] as const).map(value => ({
            value,
            label: t(`campaigns.unknown_policies.${value}`),
            description: t(`campaigns.unknown_policies.${value}_text`),
          }))}
        />
      </Options>
    </FormSection>
  )
}

/** Fields of quiet hours and batches. */
function WindowFields({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <FormRow>
        <TextField
          form={form}
          name="quiet_from"
          placeholder="22:00"
          maxLength={5}
          description={t('campaigns.hints.quiet')}
        />
        <TextField form={form} name="quiet_to" placeholder="07:00" maxLength={5} />
      </FormRow>
      <FormRow>
        <NumberField
          form={form}
          name="window_mails"
          min={0}
          decimals={0}
          description={t('campaigns.hints.window_mails')}
        />
        {(form.values.window_mails ?? 0) > 0 && (
          <NumberField form={form} name="window_minutes" min={1} max={10_080} decimals={0} />
        )}
      </FormRow>
    </>
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

/** Fields of the campaign's rate limit: the only ones that may change while it is paused. */
export function SpeedFields({ form }: SectionProps): ReactNode {
  const { t } = useTranslation()
  return (
    <FormRow>
      <NumberField
        form={form}
        name="throttle"
        min={0}
        decimals={0}
        description={t('campaigns.hints.throttle')}
      />
      <ChoiceField
        form={form}
        name="throttle_unit"
        description={t('campaigns.hints.throttle_unit')}
        choices={throttleUnits.map(value => ({ value, label: t(`campaigns.units.${value}`) }))}
      />
    </FormRow>
  )
}

function nextFullHour(): string {
  const hour = 3_600_000
  return new Date(Math.ceil((Date.now() + hour / 2) / hour) * hour).toISOString()
}
