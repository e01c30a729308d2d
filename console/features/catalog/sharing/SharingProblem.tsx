import { Alert } from '@mantine/core'
import { ShieldAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isCode } from '../../../api'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { fieldProblems } from '../../../ui/feedback/problem'
import classes from '../catalog.module.css'
import { useFieldName } from '../fields'

/** Explains that a recipe cannot be shared: names the texts of the agent that hold what others must not get. */
export function SharingProblem({ error }: { error: Error }) {
  const { t } = useTranslation()
  const fieldName = useFieldName()
  if (!isCode(error, 'recipe_unsafe')) return <ProblemAlert error={error} />
  return (
    <Alert color="coral" icon={<ShieldAlert size={20} />} title={t('catalog.unsafe')} role="alert">
      <ul className={classes.list}>
        {Object.entries(fieldProblems(t, error)).map(([path, message]) => (
          <li key={path}>
            {fieldName(path.split('/')[0] ?? '')}: {message}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
