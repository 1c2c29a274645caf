import {
  ActionIcon,
  Group,
  NativeSelect,
  Text,
  Title,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMoon, IconSun } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from '../../shell/layout/brand.ts'
import { asLang, languages } from '../../shell/i18n/i18n.ts'
import { Logo } from '../../shell/layout/logo.tsx'
import classes from './login-layout.module.css'
import { FlightArtwork } from './flight-artwork.tsx'

interface LoginLayoutProps {
  title: string
  intro: string
  children: ReactNode
}

/** Layout of login and password reset: the form on one side, the brand on the other. */
export function LoginLayout({ title, intro, children }: LoginLayoutProps): ReactNode {
  const { t, i18n } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  return (
    <div className={classes.page}>
      <div className={classes.side}>
        <header className={classes.head}>
          <Logo brand={brand} />
          <Group gap="xs">
            <NativeSelect
              variant="unstyled"
              aria-label={t('shell.language')}
              value={asLang(i18n.resolvedLanguage)}
              onChange={event => void i18n.changeLanguage(event.currentTarget.value)}
              data={languages.map(({ lang, title: label }) => ({ value: lang, label }))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t(isDark ? 'shell.theme_light' : 'shell.theme_dark')}
              onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
            >
              {isDark ? <IconSun size={18} stroke={1.6} /> : <IconMoon size={18} stroke={1.6} />}
            </ActionIcon>
          </Group>
        </header>
        <main className={classes.form}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          <Text c="dimmed" mt={6} mb={28}>
            {intro}
          </Text>
          {children}
        </main>
      </div>
      <aside className={classes.brand}>
        <FlightArtwork className={classes.artwork} />
        <div className={classes.claim}>
          <p className={classes.claimTitle}>{t('account.login.claim')}</p>
          <p className={classes.claimText}>{t('account.login.claim_text')}</p>
        </div>
      </aside>
    </div>
  )
}
