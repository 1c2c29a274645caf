import { type MessageLanguage, messageLanguages } from '@emma/contract/message-languages.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import type { RecordForm } from '@emma/ui/form/use-record-form.ts'
import { Button, Group, Menu, SegmentedControl } from '@mantine/core'
import { IconLanguage, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { copyOfDefault } from './language-form.ts'
import type { TemplateValues } from './template-values.ts'

interface LanguageBarProps {
  /** The form of the default language. */
  form: RecordForm<TemplateValues>
  /** The language that is edited; null: the default one. */
  chosen: MessageLanguage | null
  onChoose: (lang: MessageLanguage | null) => void
}

/** Choice of the language that is edited; adds languages as copies of the default one, and removes them. */
export function LanguageBar({ form, chosen, onChoose }: LanguageBarProps): ReactNode {
  const { t } = useTranslation()
  const { lang, languages } = form.values
  const missing = messageLanguages.filter(each => each !== lang && !languages.some(one => one.lang === each))
  const add = (added: MessageLanguage) => {
    form.set('languages', [...languages, copyOfDefault(form.values, added)])
    onChoose(added)
  }
  const remove = (removed: MessageLanguage) => {
    form.set(
      'languages',
      languages.filter(each => each.lang !== removed),
    )
    onChoose(null)
    notify.success(
      t('content.message.versions_of.removed', { language: t(`content.languages.${removed}`) }),
      {
        action: { label: t('content.message.versions_of.undo'), run: () => form.set('languages', languages) },
      },
    )
  }
  return (
    <Group gap="xs">
      {languages.length > 0 && (
        <SegmentedControl
          size="xs"
          aria-label={t('content.message.versions_of.label')}
          value={chosen ?? lang}
          onChange={value => onChoose(languages.find(each => each.lang === value)?.lang ?? null)}
          data={[
            {
              value: lang,
              label: t('content.message.versions_of.default', { language: t(`content.languages.${lang}`) }),
            },
            ...languages
              .filter(each => each.lang !== lang)
              .map(each => ({ value: each.lang, label: t(`content.languages.${each.lang}`) })),
          ]}
        />
      )}
      {missing.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button size="xs" variant="default" leftSection={<IconLanguage size={16} />}>
              {t('content.message.versions_of.add')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {missing.map(each => (
              <Menu.Item key={each} onClick={() => add(each)}>
                {t(`content.languages.${each}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {chosen !== null && (
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={16} />}
          onClick={() => remove(chosen)}
        >
          {t('content.message.versions_of.remove', { language: t(`content.languages.${chosen}`) })}
        </Button>
      )}
    </Group>
  )
}
