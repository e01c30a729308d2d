import { Badge, Button, Card, Group, Select, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Plus, Search, Sparkles, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { More } from '../../ui/More'
import { SearchField } from '../../ui/SearchField'
import { Empty, PageHead, Problem } from '../../ui/screens'
import { useTitle } from '../../ui/useTitle'
import { Waiting } from '../../ui/Waiting'
import classes from './ai.module.css'
import { KeySign } from './KeySign'
import { ActiveSwitch, ModelActs } from './ModelActs'
import { type AiModel, modelsQuery } from './queries'
import { categories, categoryOf, type ModelFilters, providerOf, providers } from './search'
import { vendorName } from './vendors'

const route = getRouteApi('/inside/shell/admin/ai-models')

/** The models of AI vendors that this installation may call. */
export function ModelsPage() {
  const { t } = useTranslation()
  useTitle(t('rooms.ai_models'))
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
    <Button leftSection={<Plus size={17} />} renderRoot={(props) => <Link to="/admin/ai-models/new" {...props} />}>
      {t('desk.models.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('rooms.ai_models')} about={t('desk.models.about')}>
        {(filtered || shown.length > 0) && add}
      </PageHead>
      {(filtered || shown.length > 0) && (
        <Group mb="md" gap="sm" role="search" aria-label={t('desk.models.filters')}>
          <SearchField
            label={t('desk.models.search')}
            value={search ?? ''}
            maxLength={100}
            onChange={(text) => filter({ search: text })}
          />
          <Select
            aria-label={t('desk.models.by_vendor')}
            placeholder={t('desk.models.any_vendor')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={providers.map((value) => ({ value, label: vendorName(t, value) }))}
            value={provider ?? null}
            onChange={(name) => filter({ provider: providerOf(name) })}
          />
          <Select
            aria-label={t('desk.models.by_category')}
            placeholder={t('desk.models.any_category')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={categories.map((value) => ({ value, label: t(`desk.models.category.${value}`) }))}
            value={category ?? null}
            onChange={(name) => filter({ category: categoryOf(name) })}
          />
          <Select
            aria-label={t('desk.models.by_active')}
            placeholder={t('desk.models.any_active')}
            clearable
            w={{ base: '100%', xs: 170 }}
            data={[
              { value: 'true', label: t('desk.models.active') },
              { value: 'false', label: t('desk.models.inactive') },
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
      {models.error && <Problem error={models.error} onRetry={() => models.refetch()} />}
      {models.isPending && <Waiting lines={4} />}
      {models.data && shown.length === 0 && (
        <Card padding={0}>
          {filtered ? (
            <Empty
              icon={<Search size={26} />}
              title={t('desk.models.none_found')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('posts.clear')}
                </Button>
              }
            >
              {t('desk.models.none_found_detail')}
            </Empty>
          ) : (
            <Empty icon={<Sparkles size={26} />} title={t('desk.models.none')} action={add}>
              {t('desk.models.none_detail')}
            </Empty>
          )}
        </Card>
      )}
      {shown.length > 0 && (wide ? <ModelTable models={shown} /> : <ModelCards models={shown} />)}
      <More of={models} />
    </>
  )
}

function ModelTable({ models }: { models: AiModel[] }) {
  const { t } = useTranslation()
  return (
    <Card padding={0}>
      <table className={classes.table}>
        <caption className="unseen">{t('rooms.ai_models')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('desk.models.name')}</th>
            <th scope="col">{t('desk.models.vendor')}</th>
            <th scope="col">{t('desk.models.makes')}</th>
            <th scope="col">{t('desk.models.key')}</th>
            <th scope="col">{t('desk.models.active')}</th>
            <th scope="col">
              <span className="unseen">{t('desk.models.acts')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map((model) => (
            <tr key={model.id}>
              <th scope="row">
                <Name model={model} />
              </th>
              <td>{vendorName(t, model.provider)}</td>
              <td>
                <Making model={model} />
              </td>
              <td>
                <KeySign model={model} />
              </td>
              <td>
                <ActiveSwitch model={model} />
              </td>
              <td>
                <ModelActs model={model} />
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
    <ul className={classes.cards} aria-label={t('rooms.ai_models')}>
      {models.map((model) => (
        <li key={model.id} className={classes.card} aria-label={model.name}>
          <div>
            <Name model={model} />
          </div>
          <ModelActs model={model} />
          <div className={classes.facts}>
            <Text span fz="sm">
              {vendorName(t, model.provider)}
            </Text>
            <Making model={model} />
          </div>
          <div className={classes.foot}>
            <KeySign model={model} />
            <ActiveSwitch model={model} labelled />
          </div>
        </li>
      ))}
    </ul>
  )
}

function Name({ model: { id_secure, name, model_key } }: { model: AiModel }) {
  return (
    <>
      <Link to="/admin/ai-models/$model" params={{ model: id_secure }} className={classes.name}>
        {name}
      </Link>
      <div className={classes.modelKey}>{model_key}</div>
    </>
  )
}

function Making({ model: { category, api_type, type } }: { model: AiModel }) {
  const { t } = useTranslation()
  return (
    <span className={classes.facts}>
      <Badge variant="light" color={category === 'text' ? 'gray' : 'blue'}>
        {category === 'text' && api_type !== 'chat'
          ? t(`desk.models.api_type.${api_type}`)
          : t(`desk.models.category.${category}`)}
      </Badge>
      {type && (
        <Text span c="dimmed" fz="sm" className="text">
          {type}
        </Text>
      )}
    </span>
  )
}
