import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { INBOX_LIMITS, shownLength } from '@emma/mail/template/inbox-limits.ts'
import { Text } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import contentClasses from '../../content.module.css'
import { PersonalField } from '../personal-field.tsx'
import type { TemplateFault } from '../template-faults.ts'
import type { TemplateValues } from '../template-values.ts'
import { EmojiPicker } from './emoji-picker.tsx'
import { InboxPreview } from './inbox-preview.tsx'
import { SubjectSuggestions } from './subject-suggestions.tsx'
import classes from './subject.module.css'

interface SubjectLineProps {
  /** Changes with subject, preheader and language only. */
  form: RecordForm<TemplateValues>
  /** Returns the current MJML or HTML. */
  sourceOf: () => string
  faults: readonly TemplateFault[]
  memberTableId: number | null
  /** Subject for the recipient of the preview; null before the first rendering. */
  rendered: string | null
}

/** Subject and preheader with suggestions and their lengths, beside a phone's inbox. */
export const SubjectLine = memo(function SubjectLine(props: SubjectLineProps): ReactNode {
  const { form, sourceOf, faults, memberTableId, rendered } = props
  const { t } = useTranslation()
  const { subject, preheader, lang } = form.values
  const hasPlaceholders = /\{[{%]/.test(subject)
  const shown = hasPlaceholders ? (rendered ?? '') : subject
  return (
    <div className={classes.line}>
      <div className={contentClasses.stack}>
        <div>
          <PersonalField
            form={form}
            name="subject"
            description={t('content.message.subject_hint')}
            maxLength={998}
            faults={faults}
            memberTableId={memberTableId}
            tools={insert => (
              <>
                <SubjectSuggestions
                  sourceOf={sourceOf}
                  lang={lang}
                  onPick={suggestion => {
                    form.set('subject', suggestion.subject)
                    if (suggestion.preheader !== '') form.set('preheader', suggestion.preheader)
                  }}
                />
                <EmojiPicker label={form.labels['subject'] ?? ''} onPick={insert} />
              </>
            )}
          />
          <SubjectLength text={shown} />
        </div>
        <PersonalField
          form={form}
          name="preheader"
          description={t('content.message.preheader_hint')}
          maxLength={500}
          faults={faults}
          memberTableId={memberTableId}
          tools={insert => <EmojiPicker label={form.labels['preheader'] ?? ''} onPick={insert} />}
        />
      </div>
      <InboxPreview subject={shown} preheader={preheader ?? ''} />
    </div>
  )
})

/** Length of the subject, and where inboxes cut it. */
function SubjectLength({ text }: { text: string }): ReactNode {
  const { t } = useTranslation()
  const count = shownLength(text)
  if (count === 0) return null
  const { phone, desktop } = INBOX_LIMITS
  const cut = count > desktop ? 'cut_everywhere' : count > phone ? 'cut_on_phones' : 'fits'
  return (
    <Text size="xs" c="dimmed" mt={4} className={classes.length} data-cut={cut}>
      {t('content.subject.length', { count })} · {t(`content.subject.${cut}`, { phone, desktop })}
    </Text>
  )
}
