import { saveFeedbackLoops } from '@emma/contract/actions/system-settings.ts'
import { TagsBox } from '@emma/ui/form/tags-box.tsx'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { fieldFault } from '../field-fault.ts'
import { SettingsForm, useSettingsSave } from './settings-form.tsx'
import { SettingsSection } from '../settings-section.tsx'

/** Section of the senders whose signature authenticates a complaint. */
export function FeedbackLoopSettings({ senders }: { senders: string[] }): ReactNode {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(senders)
  const text = (key: string) => t(`platform.installation.feedback_loops.${key}`)
  const save = useSettingsSave(() => api.call(saveFeedbackLoops, { body: { senders: draft } }))
  return (
    <SettingsSection title={text('title')} text={text('text')}>
      <SettingsForm save={save}>
        <TagsBox
          label={text('senders')}
          description={text('senders_text')}
          value={draft}
          error={fieldFault(save.error, 'senders')}
          onChange={domains => setDraft(domains.map(domain => domain.toLowerCase()))}
        />
      </SettingsForm>
    </SettingsSection>
  )
}
