import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './EmptyState'

/** Shown when a user opens the address of a page that needs at least this role. */
export function RoleRequired({ needs }: { needs: 'author' | 'editor' | 'admin' }) {
  const { t } = useTranslation()
  return (
    <EmptyState icon={<Lock size={26} />} title={t('edit.not_yours')}>
      {t(`edit.needs.${needs}`)}
    </EmptyState>
  )
}
