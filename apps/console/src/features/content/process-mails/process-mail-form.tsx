import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import {
  renderProcessMail,
  shippedProcessMail,
  testProcessMail,
} from '@emma/contract/actions/process-mails.ts'
import { languages } from '@emma/contract/resources/client.ts'
import { domain } from '@emma/contract/resources/domain.ts'
import { isPage, pmt, processes, processLinks } from '@emma/contract/resources/pmt.ts'
import { SwitchField } from '@emma/ui/form/fields/checkbox-field.tsx'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { TextField } from '@emma/ui/form/fields/text-field.tsx'
import { mergeLines } from '@emma/ui/form/merge-lines.ts'
import { FormRow, RecordForm } from '@emma/ui/form/record-form.tsx'
import { TabPanels } from '@emma/ui/layout/url-tabs.tsx'
import { resourceSource } from '@emma/ui/select/select-source.ts'
import { SelectField } from '@emma/ui/select/select-field.tsx'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import { api } from '../../../shell/session/api.ts'
import { useClientId, usePermission } from '../../../shell/session/use-session.ts'
import classes from '../content.module.css'
import { DesignView } from '../design/design-view.tsx'
import { useCanvasMail } from '../design/use-canvas-mail.ts'
import { useDesign } from '../design/use-design.ts'
import { useDesignFaults } from '../design/use-design-faults.tsx'
import { PersonalField } from '../templates/personal-field.tsx'
import { SourceEditor } from '../templates/source-editor.tsx'
import { TemplatePreview } from '../templates/template-preview.tsx'
import { pauses, useRendering } from '../templates/template-rendering.ts'
import { TestSend } from '../templates/test-send.tsx'
import { TextPart } from '../templates/text-part.tsx'
import { useSource } from '../templates/use-source.ts'
import { defaultOf, useOwnDefaults } from './use-own-defaults.ts'

type ProcessMail = RecordOf<typeof pmt>
export type Place = Pick<ProcessMail, 'process' | 'lang'>

const fields = [
  'name',
  'process',
  'lang',
  'domain_id',
  'subject',
  'body_long',
  'body_text',
  'is_default',
  'active',
] as const

interface ProcessMailFormProps {
  record: ProcessMail | null
  start: Place & Pick<ProcessMail, 'name' | 'subject' | 'body_long' | 'body_text'>
}

/** The visual editor, or the source on the left and a preview with sample data on the right. */
export function ProcessMailForm({ record, start }: ProcessMailFormProps): ReactNode {
  const { t } = useTranslation()
  const client = useClientId()
  const { data: defaults } = useOwnDefaults()
  const form = useResourceForm(pmt, record, {
    fields,
    initial: { ...start, is_default: defaultOf(defaults, start) === undefined },
    afterCreate: 'record',
    mergeText: { body_long: mergeLines, body_text: mergeLines },
  })
  const { values } = form
  const process = values.process ?? start.process
  const lang = values.lang ?? start.lang
  const page = isPage(process)
  const links = useMemo(
    () => [...processLinks[process].required, ...processLinks[process].possible],
    [process],
  )
  const content = {
    process,
    lang,
    subject: values.subject,
    body_long: values.body_long,
    body_text: values.body_text,
    domain_id: values.domain_id,
  }
  const source = useSource(form.idOf, 'design')
  const isDesign = source.tab === 'design'
  const { mail, error, faults, isWaiting } = useRendering(content, {
    queryKey: queryKeys.action(renderProcessMail, { isDesign }),
    isMjml: false,
    ...(isDesign ? { pause: pauses.canvas } : {}),
    render: async (draft, signal) => {
      const body = { ...draft, with_canvas: isDesign }
      const rendered = await api.call(renderProcessMail, { params: { client_id: client }, body, signal })
      return { ...rendered, source: draft.body_long }
    },
  })
  const design = useDesign(values.body_long, 'html', text => form.set('body_long', text))
  const canvas = useCanvasMail(design.tree, mail)
  const designFaults = useDesignFaults(design, faults, isDesign)
  const replaced = defaultOf(defaults, { process, lang })
  const insertShipped = async () => {
    const shipped = await api.call(shippedProcessMail, {
      params: { client_id: client },
      query: { process, lang },
    })
    for (const field of ['subject', 'body_long', 'body_text'] as const) form.set(field, shipped[field])
  }
  const editor = { faults, links, memberTableId: null, editor: source.editor }
  return (
    <RecordForm form={form}>
      <div className={isDesign ? classes.stack : classes.split}>
        <div className={classes.stack}>
          <TextField form={form} name="name" maxLength={255} />
          <PlaceFields form={form} record={record} />
          <Button
            w="fit-content"
            size="compact-xs"
            variant="subtle"
            onClick={() => void insertShipped().catch(showError)}
          >
            {t('content.pmt.insert_shipped')}
          </Button>
          {!page && <DomainField form={form} />}
          <SwitchField
            form={form}
            name="is_default"
            description={
              values.is_default && replaced && replaced.pmt_id !== record?.pmt_id
                ? t('content.pmt.replaces', { name: replaced.name })
                : t('content.pmt.is_default_hint')
            }
          />
          <SwitchField form={form} name="active" description={t('content.pmt.active_hint')} />
          {!page && (
            <PersonalField
              form={form}
              name="subject"
              description={t('content.message.subject_hint')}
              maxLength={998}
              faults={faults}
              memberTableId={null}
            />
          )}
          <TabPanels
            label={t('content.message.sections.content')}
            chosen={page && source.tab === 'text' ? 'source' : source.tab}
            onChoose={id => source.setTab(id === 'text' || id === 'source' ? id : 'design')}
            tabs={[
              {
                id: 'design',
                label: t('content.message.tabs.design'),
                content: () => (
                  <DesignView design={design} mail={canvas} memberTableId={null} links={links} />
                ),
              },
              {
                id: 'source',
                label: t('content.message.tabs.source'),
                content: () => (
                  <SourceEditor
                    {...editor}
                    field="body_long"
                    label={t('content.message.fields.body_long')}
                    value={values.body_long}
                    onChange={text => form.set('body_long', text)}
                    height="max(420px, calc(100dvh - 470px))"
                    head={null}
                  />
                ),
              },
              ...(page
                ? []
                : [
                    {
                      id: 'text',
                      label: t('content.message.tabs.text'),
                      content: () => (
                        <TextPart
                          {...editor}
                          value={values.body_text}
                          onChange={text => form.set('body_text', text)}
                        />
                      ),
                    },
                  ]),
            ]}
          />
        </div>
        <div className={isDesign ? classes.stack : classes.beside}>
          <TemplatePreview
            mail={isDesign ? null : mail}
            hasPreview={!isDesign}
            error={error}
            isWaiting={isWaiting}
            faults={faults}
            isPage={page}
            onGo={fault => {
              if (!designFaults.go(fault)) source.go(fault)
            }}
            fixesOf={designFaults.fixesOf}
          />
          {!page && (
            <TestSend
              sendTo={targets =>
                api.call(testProcessMail, { params: { client_id: client }, body: { ...content, ...targets } })
              }
              isDirty={false}
            />
          )}
        </div>
      </div>
    </RecordForm>
  )
}

type Form = ReturnType<typeof useResourceForm<typeof pmt, (typeof fields)[number]>>

/** Process and language. While a new mail is unchanged, its content follows them. */
function PlaceFields({ form, record }: { form: Form; record: ProcessMail | null }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { process, lang } = form.values
  const field: Form['field'] = name => {
    const known = form.field(name)
    if (record || form.isDirty || (name !== 'process' && name !== 'lang')) return known
    const search = { process, lang }
    return {
      ...known,
      set: value => void navigate({ to: '.', search: { ...search, [name]: value }, replace: true }),
    }
  }
  const following = { ...form, field }
  return (
    <FormRow>
      <ChoiceField
        form={following}
        name="process"
        choices={processes.map(value => ({ value, label: t(`content.pmt.processes.${value}`) }))}
      />
      <ChoiceField
        form={following}
        name="lang"
        choices={languages.map(value => ({ value, label: t(`content.languages.${value}`) }))}
      />
    </FormRow>
  )
}

/** The domain that the mail is sent from. */
function DomainField({ form }: { form: Form }): ReactNode {
  const { t } = useTranslation()
  const mayRead = usePermission({ all: ['EmmaDomain:get'] })
  const domains = useMemo(
    () =>
      resourceSource(api, domain, {
        toOption: row => ({ label: row.name }),
        sort: { field: 'name', descending: false },
      }),
    [],
  )
  if (!mayRead) return null
  return (
    <SelectField
      form={form}
      name="domain_id"
      source={domains}
      isClearable
      description={t('content.pmt.domain_hint')}
    />
  )
}
