import { Stack, Tabs, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Network } from '../../../../api'
import { NetworkIcon } from '../../../networks/NetworkIcon'
import classes from '../../posts.module.css'
import { withEntry } from '../draft/merge'
import type { PostFields } from '../draft/post-draft'
import { type PostDestination, type PostTexts, textsFor } from '../form-values'
import type { SnippetPost } from '../snippets/snippet-place'
import type { Signatures } from '../useSignatures'
import { OptionFields } from './OptionFields'
import { PostTextFields, type TextField } from './PostTextFields'
import { SignatureNotice } from './SignatureNotice'
import { UnsupportedNotice } from './UnsupportedNotice'

/** The tab of the version for all accounts; the others have the ids of accounts. */
export const EVERY_ACCOUNT = 'all'

/** The tab that has the field of a problem. */
export const tabOf = (path: string) => /^(?:own|options)\/([^/]+)\//.exec(path)?.[1] ?? EVERY_ACCOUNT

type Props = {
  form: PostFields
  /** The accounts to publish to. */
  chosen: PostDestination[]
  networks: Network[]
  /** The field into which snippets are inserted. */
  post: SnippetPost
  signatures: Signatures
  problems: Map<string, string>
  tab: string
  onTab: (tab: string) => void
  textRef: RefObject<HTMLTextAreaElement | null>
}

/** The post for all accounts, and its versions and settings for single ones. */
export function AccountTabs({ form, chosen, networks, post, signatures, problems, ...props }: Props) {
  const { t } = useTranslation()
  const { tab, onTab, textRef } = props
  const { own } = form.values
  const isSigned = (id: string) => signatures.signed.some((account) => account.id === id)
  const inherits = (field: TextField) =>
    chosen.filter(({ id }) => own[id]?.[field] === undefined || (field === 'content' && isSigned(id)))
  const every = (
    <PostTextFields
      texts={form.values}
      publishedTo={inherits}
      networks={networks}
      post={post}
      onChange={form.edit}
      beginUpload={form.beginUpload}
      problem={(path) => problems.get(path)}
      textOf={({ id }) => textsFor(form.values, id).content}
      notice={(field) =>
        field === 'content' ? (
          <SignatureNotice {...signatures} />
        ) : (
          <UnsupportedNotice form={form} field={field} inheriting={inherits(field)} networks={networks} />
        )
      }
      textRef={textRef}
    />
  )
  const tabbed = chosen.filter(
    ({ network }) => chosen.length > 1 || networks.some(({ id, options }) => id === network && options.length > 0),
  )
  if (tabbed.length === 0 && chosen.every(({ id, signature }) => own[id] === undefined && !signature)) return every
  const shown = tabbed.length ? tabbed : chosen
  const withProblem = new Set([...problems.keys()].map(tabOf))
  const active = shown.some(({ id }) => id === tab) ? tab : EVERY_ACCOUNT
  return (
    <Tabs value={active} onChange={(value) => onTab(value ?? EVERY_ACCOUNT)} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs} aria-label={t('compose.versions')}>
        <Tabs.Tab value={EVERY_ACCOUNT}>{t('compose.every_account')}</Tabs.Tab>
        {shown.map((account) => (
          <Tabs.Tab
            key={account.id}
            value={account.id}
            leftSection={<NetworkIcon network={account.network} size={15} />}
            rightSection={
              <TabMark
                differs={own[account.id] !== undefined || form.values.options[account.id] !== undefined}
                hasProblem={withProblem.has(account.id)}
              />
            }
          >
            <span dir="auto">{account.name}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {/* Kept mounted, so that its uploads go on while another tab is shown. */}
      <Tabs.Panel value={EVERY_ACCOUNT} keepMounted>
        {every}
      </Tabs.Panel>
      {shown.map((account) => (
        <Tabs.Panel key={account.id} value={account.id}>
          <AccountVersion form={form} account={account} networks={networks} post={post} problems={problems} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function TabMark({ differs, hasProblem }: { differs: boolean; hasProblem: boolean }) {
  const { t } = useTranslation()
  if (hasProblem)
    return <CircleAlert size={15} color="var(--mantine-color-error)" aria-label={t('compose.has_problem')} />
  if (!differs) return null
  return <span className={classes.differs} role="img" aria-label={t('compose.differs')} />
}

type VersionProps = Pick<Props, 'form' | 'networks' | 'post' | 'problems'> & { account: PostDestination }

/** The version for one account. Fields without a version of its own show those of the post. */
function AccountVersion({ form, account, networks, post, problems }: VersionProps) {
  const { t } = useTranslation()
  const { id } = account
  const { own, options } = form.values
  const setOwn = (texts: Partial<PostTexts>) =>
    form.edit({ own: withEntry(own, id, Object.keys(texts).length ? texts : undefined) })
  const setOptions = (settings: Record<string, unknown>) =>
    form.edit({ options: withEntry(options, id, Object.keys(settings).length ? settings : undefined) })
  const network = networks.find((one) => one.id === account.network)
  return (
    <Stack gap="md">
      <Text fz="sm" c="dimmed">
        {t('compose.version_about', { name: account.name })}
      </Text>
      <PostTextFields
        texts={textsFor(form.values, id)}
        account={account}
        publishedTo={() => [account]}
        networks={networks}
        post={{ plannedAt: post.plannedAt }}
        own={own[id] ?? {}}
        onChange={(change) => setOwn({ ...own[id], ...change })}
        beginUpload={form.beginUpload}
        onReset={(field) => {
          const { [field]: _, ...others } = own[id] ?? {}
          setOwn(others)
        }}
        problem={(path) => problems.get(`own/${id}/${path}`)}
      />
      {network && network.options.length > 0 && (
        <fieldset className={classes.settings}>
          <legend>{t('compose.settings', { network: network.name })}</legend>
          <OptionFields
            fields={network.options}
            settings={options[id] ?? {}}
            onChange={setOptions}
            problem={(key) => problems.get(`options/${id}/${key}`)}
          />
        </fieldset>
      )}
    </Stack>
  )
}
