import { Button, Group, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { queryClient, unwrapWithEtag, workspaceApi } from '../../../api'
import { useFormSubmit } from '../../../ui/forms/useFormSubmit'
import { useWorkspace } from '../../workspaces/queries'
import { invalidateRecipes, type Recipe, recipeQuery } from '../queries'
import { ListingFields, listingOf, toBody, validateListing } from './ListingFields'
import { SharingProblem } from './SharingProblem'

/** Changes how the catalogue shows a recipe. */
export function EditRecipeForm({ recipe, etag, onClose }: { recipe: Recipe; etag: string; onClose: () => void }) {
  const { t } = useTranslation()
  const { slug } = useWorkspace()
  const { id } = recipe
  const form = useForm({ initialValues: listingOf(recipe), validate: (values) => validateListing(t, values) })
  const submit = useFormSubmit(form, {
    mutationFn: (values) =>
      unwrapWithEtag(
        workspaceApi(slug).PATCH('/api/v1/catalog/agent-recipes/{id}', {
          params: { path: { id } },
          body: toBody(values),
          headers: { 'if-match': etag },
        }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(recipeQuery(id).queryKey, saved)
      notifications.show({ message: t('catalog.saved') })
      onClose()
    },
    onSettled: invalidateRecipes,
  })
  return (
    <form onSubmit={submit.onSubmit} noValidate>
      <Stack>
        {submit.problem && <SharingProblem error={submit.problem} />}
        <ListingFields form={form} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={submit.isPending} disabled={!form.isDirty()}>
            {t('catalog.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
