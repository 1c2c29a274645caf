import { Button, Code, Container, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { brand } from '../layout/brand.ts'
import { Logo } from '../layout/logo.tsx'

/** Error page of the whole console (R011): the error and a button to reload. */
export function CrashScreen({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation()
  const message = error instanceof Error ? error.message : ''
  return (
    <Container size={560} py="xl" role="alert">
      <header>
        <Logo brand={brand} />
      </header>
      <Stack gap="md" mt={64}>
        <Title order={1}>{t('errors.generic_message')}</Title>
        {message !== '' && (
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              {t('errors.message')}
            </Text>
            <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {message}
            </Code>
          </div>
        )}
        <Text>{t('errors.notified')}</Text>
        <Button onClick={() => location.assign('/')} w="fit-content">
          {t('errors.reload_app')}
        </Button>
      </Stack>
    </Container>
  )
}
