import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { brandValues, mailFontNames, mailFonts } from '@emma/contract/client-brand.ts'
import { client, languages } from '@emma/contract/resources/client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { membertable } from '@emma/contract/resources/membertable.ts'
import { modalSizes, popupTriggers, webform, webformTypes } from '@emma/contract/resources/webform.ts'
import { completeStyle, contrast } from '@emma/contract/web-forms/form-style.ts'
import { type FormLanguage, formTexts } from '@emma/contract/web-forms/form-texts.ts'
import { type PublicForm, renderForm, renderFormPage } from '@emma/contract/web-forms/render-form.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { NumberField } from '@emma/ui/form/fields/number-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { RecordForm } from '@emma/ui/form/record-form.tsx'
import { TabPanels } from '@emma/ui/layout/url-tabs.tsx'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import {
  Alert,
  ColorInput,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import { FieldList } from './field-list.tsx'
import { useWebForm, type WebForm } from './use-web-form.ts'
import { WebFormConsents } from './web-form-consents.tsx'
import { WebFormEmails } from './web-form-emails.tsx'
import { WebFormEmbed } from './web-form-embed.tsx'
import { WebFormFigures } from './web-form-figures.tsx'
import classes from './web-forms.module.css'

/** The form on the left in tabs, on the right the HTML that the public page serves. */
export function WebFormBuilder({ record }: { record: RecordOf<typeof webform> | null }): ReactNode {
  const { t } = useTranslation()
  const [lang, setLang] = useState<FormLanguage>('en')
  const [tab, setTab] = useState('fields')
  const form = useWebForm(record)
  const shown = usePublicForm(form, record)
  const tabs = [
    { id: 'fields', content: () => <FieldsTab form={form} lang={lang} columns={shown.columns} /> },
    { id: 'texts', content: () => <TextsTab form={form} lang={lang} /> },
    { id: 'emails', content: () => <WebFormEmails form={form} lang={lang} /> },
    { id: 'style', content: () => <StyleTab form={form} brand={shown.brand} /> },
    { id: 'settings', content: () => <SettingsTab form={form} /> },
    ...(record
      ? [
          { id: 'embed', content: () => <WebFormEmbed form={{ ...shown, url: record.url }} lang={lang} /> },
          {
            id: 'consents',
            content: () => <WebFormConsents id={record.webform_id} revision={record.revision} />,
          },
          { id: 'figures', content: () => <WebFormFigures id={record.webform_id} /> },
        ]
      : []),
  ]
  return (
    <RecordForm form={form}>
      <div className={classes.split}>
        <Stack>
          <TextField form={form} name="name" maxLength={255} />
          <SegmentedControl
            aria-label={t('audience.webform.language')}
            data={languages.map(value => ({ value, label: t(`audience.webform.languages.${value}`) }))}
            value={lang}
            onChange={chosen => setLang(languages.find(known => known === chosen) ?? 'en')}
          />
          <TabPanels
            label={t('audience.webform.parts')}
            chosen={tab}
            onChoose={setTab}
            tabs={tabs.map(each => ({ ...each, label: t(`audience.webform.tabs.${each.id}`) }))}
          />
        </Stack>
        <iframe
          className={classes.preview}
          title={t('audience.webform.preview')}
          sandbox=""
          srcDoc={renderFormPage(shown, lang, renderForm(shown, lang, {}, 'h1'), null)}
        />
      </div>
    </RecordForm>
  )
}

/** The form as visitors see it, with the unsaved values. */
function usePublicForm({ values }: WebForm, record: RecordOf<typeof webform> | null) {
  const clientId = useClientId()
  const mayReadClient = usePermission({ all: ['EmmaClient:get'] })
  const { data: datasources } = useDatasources()
  const ownClient = { filters: { client_id: clientId }, limit: 1 }
  const { data: owners } = useQuery({
    queryKey: queryKeys.list(client, ownClient),
    queryFn: ({ signal }) => api.list(client, ownClient, { signal }),
    enabled: mayReadClient,
  })
  const source = datasources?.find(row => row.member_table_id === values.member_table_id)
  return {
    ...values,
    consent_version: record?.consent_version ?? 0,
    url: record?.url ?? '',
    columns: source?.emmamembertableschema ?? [],
    brand: brandValues(owners?.data[0] ?? { name: '' }),
  }
}

function FieldsTab({
  form,
  lang,
  columns,
}: {
  form: WebForm
  lang: FormLanguage
  columns: PublicForm['columns']
}) {
  const { t } = useTranslation()
  const datasources = useMemo(
    () =>
      resourceSource(api, membertable, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  const error = form.field('fields').error
  return (
    <Stack>
      <SelectField form={form} name="member_table_id" source={datasources} />
      {error && <Alert color="red">{error}</Alert>}
      {columns.length > 0 ? (
        <FieldList
          fields={form.values.fields}
          columns={columns}
          lang={lang}
          onChange={changed => form.set('fields', changed)}
        />
      ) : (
        t('audience.webform.choose_datasource')
      )}
      <SwitchField form={form} name="frequency" description={t('audience.webform.frequency_hint')} />
    </Stack>
  )
}

function TextsTab({ form, lang }: { form: WebForm; lang: FormLanguage }): ReactNode {
  const { t } = useTranslation()
  const { texts, consent } = form.values
  const own = texts[lang] ?? {}
  const set = (field: 'title' | 'intro' | 'button' | 'thanks', value: string) =>
    form.set('texts', { ...texts, [lang]: { ...own, [field]: value } })
  return (
    <Stack>
      {(['title', 'button'] as const).map(field => (
        <TextInput
          key={field}
          label={t(`audience.webform.texts.${field}`)}
          placeholder={field === 'button' ? formTexts[lang].button : ''}
          maxLength={field === 'button' ? 100 : 255}
          value={own[field] ?? ''}
          onChange={event => set(field, event.currentTarget.value)}
        />
      ))}
      {(['intro', 'thanks'] as const).map(field => (
        <Textarea
          key={field}
          label={t(`audience.webform.texts.${field}`)}
          autosize
          minRows={2}
          maxLength={2000}
          value={own[field] ?? ''}
          onChange={event => set(field, event.currentTarget.value)}
        />
      ))}
      <Textarea
        label={t('audience.webform.fields.consent')}
        description={t('audience.webform.consent_hint')}
        autosize
        minRows={3}
        maxLength={5000}
        value={consent[lang] ?? ''}
        onChange={event => form.set('consent', { ...consent, [lang]: event.currentTarget.value })}
      />
    </Stack>
  )
}

function StyleTab({ form, brand }: { form: WebForm; brand: PublicForm['brand'] }): ReactNode {
  const { t } = useTranslation()
  const { style } = form.values
  const complete = completeStyle(style, brand)
  const isReadable = contrast(complete.text_color, complete.background) >= 4.5
  return (
    <Stack>
      {(['color', 'text_color', 'background'] as const).map(field => (
        <ColorInput
          key={field}
          label={t(`audience.webform.style.${field}`)}
          placeholder={complete[field]}
          eyeDropperButtonProps={{ 'aria-label': t('audience.webform.pick_color') }}
          value={style[field] ?? ''}
          onChange={value => form.set('style', { ...style, [field]: value === '' ? null : value })}
        />
      ))}
      {!isReadable && <Alert color="yellow">{t('audience.webform.low_contrast')}</Alert>}
      <NativeSelect
        label={t('audience.webform.style.font')}
        data={[
          { value: '', label: t('audience.webform.of_brand') },
          ...mailFontNames.map(value => ({ value, label: mailFonts[value].split(',')[0] ?? value })),
        ]}
        value={style.font ?? ''}
        onChange={event => {
          const font = mailFontNames.find(name => name === event.currentTarget.value) ?? null
          form.set('style', { ...style, font })
        }}
      />
      <NumberInput
        label={t('audience.webform.style.radius')}
        placeholder={String(complete.radius)}
        min={0}
        max={40}
        allowDecimal={false}
        value={style.radius ?? ''}
        onChange={value => form.set('style', { ...style, radius: typeof value === 'number' ? value : null })}
      />
    </Stack>
  )
}

function SettingsTab({ form }: { form: WebForm }): ReactNode {
  const { t } = useTranslation()
  const domains = useMemo(
    () =>
      resourceSource(api, domain, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  const isPopup = form.values.type === 'popup'
  return (
    <Stack>
      <SelectField
        form={form}
        name="domain_id"
        source={domains}
        description={t('audience.webform.domain_hint')}
      />
      <ChoiceField
        form={form}
        name="type"
        choices={webformTypes.map(value => ({ value, label: t(`audience.webform.types.${value}`) }))}
      />
      {isPopup && (
        <ChoiceField
          form={form}
          name="popup_trigger"
          choices={popupTriggers.map(value => ({ value, label: t(`audience.webform.triggers.${value}`) }))}
        />
      )}
      {isPopup && form.values.popup_trigger !== 'exit' && (
        <NumberField
          form={form}
          name="popup_after"
          decimals={0}
          min={0}
          max={600}
          suffix={form.values.popup_trigger === 'scroll' ? '%' : 's'}
        />
      )}
      {isPopup && (
        <NumberField
          form={form}
          name="popup_again"
          decimals={0}
          min={0}
          max={365}
          suffix={` ${t('audience.webform.days')}`}
          description={t('audience.webform.again_hint')}
        />
      )}
      <ChoiceField
        form={form}
        name="modal_size"
        choices={modalSizes.map(value => ({ value, label: t(`audience.webform.sizes.${value}`) }))}
      />
      <SwitchField form={form} name="doi" description={t('audience.webform.doi_hint')} />
      <SwitchField form={form} name="honeypot" description={t('audience.webform.honeypot_hint')} />
      <NumberField form={form} name="rate_limit" decimals={0} min={1} max={100_000} />
      <SwitchField form={form} name="active" />
    </Stack>
  )
}
