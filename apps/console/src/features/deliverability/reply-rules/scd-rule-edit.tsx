import type { RecordOf } from '@emma/client/emma-client.ts'
import { provider } from '@emma/contract/resources/provider.ts'
import { replyClasses, scdActions, scdPhases, scdRule } from '@emma/contract/resources/scd-rule.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Stack } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { replyRuleName } from '../../../shell/resource/reply-rule-name.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { ScdLog } from './scd-log.tsx'

type ScdRule = RecordOf<typeof scdRule>

const fields = [
  'name',
  'priority',
  'active',
  'provider_id',
  'phase',
  'code_pattern',
  'enhanced_pattern',
  'text_pattern',
  'reply_class',
  'set_class',
  'set_hard',
  'action',
  'minutes',
  'threshold',
  'window_minutes',
] as const

/** Actions with a duration, and actions with a minimum number of replies. */
const timed = ['retry_after', 'backoff_provider', 'quarantine_ip']
const counted = ['backoff_provider', 'pause_campaign', 'quarantine_ip', 'blacklist']

/** Form of a reply rule. */
export default function ScdRuleEdit(): ReactNode {
  const { t } = useTranslation()
  return (
    <RecordPage
      resource={scdRule}
      title={record => (record ? replyRuleName(record.name) : t('deliverability.scd_rule.new'))}
    >
      {record => (
        <Stack gap="xl">
          {record && <ScdLog ruleId={record.id} />}
          <ScdRuleForm record={record} />
        </Stack>
      )}
    </RecordPage>
  )
}

function ScdRuleForm({ record }: { record: ScdRule | null }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`deliverability.scd_rule.${key}`)
  const form = useResourceForm(scdRule, record, {
    fields,
    toValues: ({ set_hard, ...values }) => ({ ...values, set_hard: hardness(set_hard) }),
    toBody: ({ set_hard, ...values }) => ({
      ...values,
      ...(set_hard === undefined ? {} : { set_hard: isHard(set_hard) }),
    }),
  })
  const providers = useMemo(
    () =>
      resourceSource(api, provider, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  const choices = <T extends string>(values: readonly T[], group: string) =>
    values.map(value => ({ value, label: text(`${group}.${value}`) }))
  const { action } = form.values
  return (
    <RecordForm form={form}>
      <FormSection title={text('sections.general')} description={text('sections.general_text')}>
        <TextField form={form} name="name" />
        <NumberField form={form} name="priority" min={0} decimals={0} description={text('hints.priority')} />
        <SwitchField form={form} name="active" />
      </FormSection>
      <FormSection title={text('sections.when')} description={text('sections.when_text')}>
        <FormRow>
          <SelectField
            form={form}
            name="provider_id"
            source={providers}
            isClearable
            placeholder={text('any')}
          />
          <ChoiceField form={form} name="phase" choices={choices(scdPhases, 'phases')} />
        </FormRow>
        <FormRow>
          <TextField form={form} name="code_pattern" placeholder="^421" isMonospaced />
          <TextField form={form} name="enhanced_pattern" placeholder="^4\.7\." isMonospaced />
        </FormRow>
        <TextField form={form} name="text_pattern" description={text('hints.patterns')} isMonospaced />
        <ChoiceField
          form={form}
          name="reply_class"
          emptyLabel={text('any')}
          choices={choices(replyClasses, 'classes')}
        />
      </FormSection>
      <FormSection title={text('sections.result')} description={text('sections.result_text')}>
        <FormRow>
          <ChoiceField
            form={form}
            name="set_class"
            emptyLabel={text('unchanged')}
            choices={choices(replyClasses, 'classes')}
          />
          <ChoiceField
            form={form}
            name="set_hard"
            emptyLabel={text('unchanged')}
            choices={choices(['hard', 'soft'], 'hardness')}
          />
        </FormRow>
        <ChoiceField form={form} name="action" choices={choices(scdActions, 'actions')} />
        {timed.includes(action) && (
          <NumberField form={form} name="minutes" min={1} max={10_080} decimals={0} />
        )}
        {counted.includes(action) && (
          <FormRow>
            <NumberField
              form={form}
              name="threshold"
              min={1}
              decimals={0}
              description={text('hints.threshold')}
            />
            <NumberField form={form} name="window_minutes" min={1} max={10_080} decimals={0} />
          </FormRow>
        )}
      </FormSection>
    </RecordForm>
  )
}

function hardness(isHard: boolean | null): 'hard' | 'soft' | null {
  if (isHard === null) return null
  return isHard ? 'hard' : 'soft'
}

function isHard(choice: 'hard' | 'soft' | null): boolean | null {
  return choice === null ? null : choice === 'hard'
}
