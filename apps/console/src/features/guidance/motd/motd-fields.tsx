import { client } from '@emma/contract/resources/client.ts'
import { type motd, motdSizes, motdTypes } from '@emma/contract/resources/motd.ts'
import { role } from '@emma/contract/resources/role.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { DateTimeField } from '@emma/ui/form/fields/date-time-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { FormRow, FormSection } from '@emma/ui/form/record-form.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { MultiSelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { Input, SegmentedControl, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import type { Lang } from '../../../shell/i18n/i18n.ts'
import { LanguageTabs } from '../../../shell/i18n/language-tabs.tsx'
import type { FieldValues } from '../../../shell/resource/use-resource-form.ts'
import { isSuperadmin, useSession } from '../../../shell/session/use-session.ts'

/** Fields of the form, in the order of its inputs. */
export const motdFields = [
  'title_en',
  'body_en',
  'title_de',
  'body_de',
  'title_es',
  'body_es',
  'type',
  'modal_size',
  'startdate',
  'enddate',
  'clients',
  'roles',
  'show_at_login',
] as const

export type MotdValues = FieldValues<typeof motd, (typeof motdFields)[number]>

const clients = resourceSource(api, client, {
  toOption: row => ({ label: row.name }),
  sort: { field: 'name' },
})
const roles = resourceSource(api, role, { toOption: row => ({ label: row.name }), sort: { field: 'name' } })

interface MotdFieldsProps {
  form: RecordForm<MotdValues>
  preview: (lang: Lang) => ReactNode
}

/** Fields of a message of the day: texts in three languages, appearance, schedule and targets. */
export function MotdFields({ form, preview }: MotdFieldsProps): ReactNode {
  const { t } = useTranslation()
  const isAbove = isSuperadmin(useSession())
  const text = (key: string) => t(`messages.motd.${key}`)
  const isForAll = form.values.clients.length + form.values.roles.length === 0
  return (
    <>
      <FormSection title={text('sections.words')} description={text('sections.words_text')}>
        <LanguageTabs
          label={text('sections.words')}
          fields={['title', 'body']}
          values={form.values}
          onChange={(field, value) => form.set(field, value)}
          faulty={form.problems.flatMap(({ field }) => field ?? [])}
          attempts={form.attempts}
        >
          {(lang, hint) => (
            <Stack gap="md">
              <TextField form={form} name={`title_${lang}`} maxLength={200} {...described(hint('title'))} />
              <TextAreaField
                form={form}
                name={`body_${lang}`}
                rows={5}
                description={hint('body') ?? text('markdown_hint')}
              />
              {preview(lang)}
            </Stack>
          )}
        </LanguageTabs>
      </FormSection>
      <FormSection title={text('sections.look')} description={text('sections.look_text')}>
        <LookChoice form={form} />
      </FormSection>
      <FormSection title={text('sections.time')} description={text('sections.time_text')}>
        <FormRow>
          <DateTimeField form={form} name="startdate" />
          <DateTimeField form={form} name="enddate" description={text('end_hint')} />
        </FormRow>
      </FormSection>
      <FormSection title={text('sections.targets')} description={text('sections.targets_text')}>
        <MultiSelectField form={form} name="clients" source={clients} />
        {isAbove && (
          <>
            <MultiSelectField form={form} name="roles" source={roles} />
            <SwitchField
              form={form}
              name="show_at_login"
              description={text('login_hint')}
              isDisabled={!isForAll && !form.values.show_at_login}
            />
          </>
        )}
      </FormSection>
    </>
  )
}

/** Choice of banner or modal, with its color or width. */
function LookChoice({ form }: { form: RecordForm<MotdValues> }): ReactNode {
  const { t } = useTranslation()
  const text = (key: string) => t(`messages.motd.${key}`)
  const choices = <T extends string>(values: readonly T[], group: string) =>
    values.map(value => ({ value, label: text(`${group}.${value}`) }))
  const look = form.values.modal_size === null ? 'banner' : 'modal'

  function choose(chosen: string): void {
    form.set('type', chosen === 'banner' ? 'info' : null)
    form.set('modal_size', chosen === 'modal' ? 'lg' : null)
  }

  return (
    <>
      <Input.Wrapper label={t('messages.motd.look')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('messages.motd.look')}
          data={(['banner', 'modal'] as const).map(value => ({
            value,
            label: t(`messages.motd.looks.${value}`),
          }))}
          value={look}
          onChange={choose}
        />
      </Input.Wrapper>
      {look === 'banner' ? (
        <ChoiceField form={form} name="type" look="segments" choices={choices(motdTypes, 'types')} />
      ) : (
        <ChoiceField form={form} name="modal_size" look="segments" choices={choices(motdSizes, 'sizes')} />
      )}
    </>
  )
}

function described(description: string | undefined) {
  return description === undefined ? {} : { description }
}
