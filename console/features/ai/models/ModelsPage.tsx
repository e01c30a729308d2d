import { Badge, Button, Card, Group, Select, Text, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Sparkles, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../../ui/feedback/EmptyState'
import { LoadingSkeleton } from '../../../ui/feedback/LoadingSkeleton'
import { NoMatches } from '../../../ui/feedback/NoMatches'
import { ProblemAlert } from '../../../ui/feedback/ProblemAlert'
import { SearchField } from '../../../ui/fields/SearchField'
import { PageHeader } from '../../../ui/layout/PageHeader'
import { useDocumentTitle } from '../../../ui/layout/useDocumentTitle'
import { ButtonLink } from '../../../ui/navigation/ButtonLink'
import { LoadMore } from '../../../ui/navigation/LoadMore'
import { WithGuide } from '../../../ui/navigation/WithGuide'
import classes from '../ai.module.css'
import { KeyBadge } from '../KeyBadge'
import { providerName } from '../provider-info'
import { type AiModel, modelsQuery } from '../queries'
import { categories, categoryOf, type ModelFilters, providerOf, providers } from '../search-params'
import { ActiveSwitch, ModelActions } from './ModelActions'

const route = getRouteApi('/signed-in/shell/admin/ai-models')

/** The models of AI vendors that this installation may call. */
export function ModelsPage() {
  const { t } = useTranslation()
  useDocumentTitle(t('pages.ai_models'))
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const models = useInfiniteQuery(modelsQuery(filters))
  const wide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false })
  const { search, provider, category, active } = filters
  const filtered = Boolean(search || provider || category) || active !== undefined
  const filter = (changed: Partial<ModelFilters>) =>
    void navigate({ search: { ...filters, ...changed }, replace: true, resetScroll: false })
  const clear = () => void navigate({ search: {}, replace: true, resetScroll: false })
  const shown = models.data?.pages.flatMap(({ data }) => data) ?? []
  const add = (
    <ButtonLink to="/admin/ai-models/new" leftSection={<Plus size={17} />}>
      {t('admin.models.add')}
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title={t('pages.ai_models')}
        about={<WithGuide name="ai-models">{t('admin.models.about')}</WithGuide>}
      >
        {(filtered || shown.length > 0) && add}
      </PageHeader>
      {(filtered || shown.length > 0) && (
        <Group mb="md" gap="sm" role="search" aria-label={t('admin.models.filters')}>
          <SearchField
            label={t('admin.models.search')}
            value={search ?? ''}
            maxLength={100}
            onChange={(text) => filter({ search: text })}
          />
          <Select
            aria-label={t('admin.models.by_vendor')}
            placeholder={t('admin.models.any_vendor')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={providers.map((value) => ({ value, label: providerName(t, value) }))}
            value={provider ?? null}
            onChange={(name) => filter({ provider: providerOf(name) })}
          />
          <Select
            aria-label={t('admin.models.by_category')}
            placeholder={t('admin.models.any_category')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={categories.map((value) => ({ value, label: t(`admin.models.category.${value}`) }))}
            value={category ?? null}
            onChange={(name) => filter({ category: categoryOf(name) })}
          />
          <Select
            aria-label={t('admin.models.by_active')}
            placeholder={t('admin.models.any_active')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={[
              { value: 'true', label: t('admin.models.active') },
              { value: 'false', label: t('admin.models.inactive') },
            ]}
            value={active === undefined ? null : String(active)}
            onChange={(value) => filter({ active: value === null ? undefined : value === 'true' })}
          />
          {filtered && (
            <Button variant="subtle" size="md" leftSection={<X size={16} />} onClick={clear}>
              {t('posts.clear')}
            </Button>
          )}
        </Group>
      )}
      {models.error && <ProblemAlert error={models.error} onRetry={() => models.refetch()} />}
      {models.isPending && <LoadingSkeleton lines={4} />}
      {models.data && shown.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <NoMatches title={t('admin.models.none_found')} onClear={clear}>
              {t('admin.models.none_found_detail')}
            </NoMatches>
          ) : (
            <EmptyState icon={<Sparkles size={26} />} title={t('admin.models.none')} action={add}>
              {t('admin.models.none_detail')}
            </EmptyState>
          )}
        </Card>
      )}
      {shown.length > 0 && (wide ? <ModelTable models={shown} /> : <ModelCards models={shown} />)}
      <LoadMore of={models} />
    </>
  )
}

function ModelTable({ models }: { models: AiModel[] }) {
  const { t } = useTranslation()
  return (
    <Card padding={0}>
      <table className={classes.table}>
        <caption>
          <VisuallyHidden>{t('pages.ai_models')}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('admin.models.name')}</th>
            <th scope="col">{t('admin.models.vendor')}</th>
            <th scope="col">{t('admin.models.output')}</th>
            <th scope="col">{t('admin.models.key')}</th>
            <th scope="col">{t('admin.models.active')}</th>
            <th scope="col">
              <VisuallyHidden>{t('admin.models.actions')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.id}>
              <th scope="row">
                <ModelName model={model} />
              </th>
              <td>{providerName(t, model.provider)}</td>
              <td>
                <ModelOutput model={model} />
              </td>
              <td>
                <KeyBadge model={model} />
              </td>
              <td>
                <ActiveSwitch model={model} />
              </td>
              <td>
                <ModelActions model={model} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function ModelCards({ models }: { models: AiModel[] }) {
  const { t } = useTranslation()
  return (
    <ul className={classes.cards} aria-label={t('pages.ai_models')}>
      {models.map((model) => (
        <li key={model.id} className={classes.card} aria-label={model.name}>
          <div>
            <ModelName model={model} />
          </div>
          <ModelActions model={model} />
          <div className={classes.facts}>
            <Text span fz="sm">
              {providerName(t, model.provider)}
            </Text>
            <ModelOutput model={model} />
          </div>
          <div className={classes.foot}>
            <KeyBadge model={model} />
            <ActiveSwitch model={model} labelled />
          </div>
        </li>
      ))}
    </ul>
  )
}

function ModelName({ model: { id_secure, name, model_key } }: { model: AiModel }) {
  return (
    <>
      <Link to="/admin/ai-models/$model" params={{ model: id_secure }} className={classes.name}>
        {name}
      </Link>
      <div className={classes.modelKey}>{model_key}</div>
    </>
  )
}

function ModelOutput({ model: { category, api_type, type } }: { model: AiModel }) {
  const { t } = useTranslation()
  return (
    <span className={classes.facts}>
      <Badge variant="light" color={category === 'text' ? 'gray' : 'blue'}>
        {category === 'text' && api_type !== 'chat'
          ? t(`admin.models.api_type.${api_type}`)
          : t(`admin.models.category.${category}`)}
      </Badge>
      {type && (
        <Text span c="dimmed" fz="sm" className="text">
          {type}
        </Text>
      )}
    </span>
  )
}
