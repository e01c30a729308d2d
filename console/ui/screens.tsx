import { Alert, Anchor, Button, Center, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import { CircleAlert, Lock, RotateCw } from 'lucide-react'
import { createContext, type ReactNode, useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem, plansQuery } from '../api'
import { Mark } from './Mark'
import { isOfPlan, problemMessage } from './problem'
import { useTitle } from './useTitle'

/** The head of a room: its name, what it is for, and what can be begun there. */
export const PageHead = ({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) => (
  <Group justify="space-between" align="flex-start" mb="lg" gap="md">
    <div>
      <Title order={1} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Title>
      {about && (
        <Text c="dimmed" mt={4} maw={640}>
          {about}
        </Text>
      )}
    </div>
    {children && <Group gap="sm">{children}</Group>}
  </Group>
)

/** Nothing is here yet: says why, and offers the first step. */
export const Empty = ({
  icon,
  title,
  children,
  action,
}: {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}) => (
  <Center py={56} px="md">
    <Stack align="center" gap="xs" maw={420}>
      <Center
        w={56}
        h={56}
        c="var(--mantine-color-anchor)"
        bg="var(--mantine-primary-color-light)"
        style={{ borderRadius: 16 }}
      >
        {icon}
      </Center>
      <Title order={2} size="h3" mt="xs" ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center">
          {children}
        </Text>
      )}
      {action && <Group mt="sm">{action}</Group>}
    </Stack>
  </Center>
)

/** What went wrong, and where plans are compared when one of them would have allowed it. */
export function ProblemText({ error }: { error: unknown }) {
  const { t } = useTranslation()
  // The answer names a plan by its code.
  useQuery({ ...plansQuery, enabled: isOfPlan(error) })
  return (
    <>
      {problemMessage(t, error)}
      {isOfPlan(error) && (
        <>
          {' '}
          <Anchor renderRoot={(props) => <Link to="/pricing" {...props} />}>{t('usage.compare')}</Anchor>
        </>
      )}
    </>
  )
}

/** Something could not be loaded or done. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation()
  return (
    <Alert color="coral" icon={<CircleAlert size={20} />} title={t('ui.wrong')} role="alert" mb="md">
      <Text>
        <ProblemText error={error} />
      </Text>
      {error instanceof ApiProblem && error.problem.status >= 500 && error.problem.request_id && (
        <Text c="dimmed" mt={4}>
          {t('ui.request_id', { id: error.problem.request_id })}
        </Text>
      )}
      {onRetry && (
        <Button mt="sm" variant="default" leftSection={<RotateCw size={16} />} onClick={onRetry}>
          {t('ui.again')}
        </Button>
      )}
    </Alert>
  )
}

/** For who came by its address to what only this role, and those above it, may do. */
export function NotYours({ needs }: { needs: 'author' | 'editor' | 'admin' }) {
  const { t } = useTranslation()
  return (
    <Empty icon={<Lock size={26} />} title={t('edit.not_yours')}>
      {t(`edit.needs.${needs}`)}
    </Empty>
  )
}

/** Whether what is drawn stands in the main part of a page already: there is one only. */
export const InMain = createContext(false)

function Whole({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <Center component={useContext(InMain) ? 'div' : 'main'} mih="60vh" p="md">
      <Stack align="center" maw={480} gap="md">
        <Mark size={44} />
        {children}
      </Stack>
    </Center>
  )
}

export function ErrorScreen({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation()
  const router = useRouter()
  return (
    <Whole title={t('ui.wrong')}>
      <Problem
        error={error}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Whole>
  )
}

export function NotFoundScreen() {
  const { t } = useTranslation()
  return (
    <Whole title={t('ui.not_found')}>
      <Title order={1}>{t('ui.not_found')}</Title>
      <Text c="dimmed" ta="center">
        {t('ui.not_found_detail')}
      </Text>
      <Button component={Link} to="/">
        {t('ui.home')}
      </Button>
    </Whole>
  )
}
