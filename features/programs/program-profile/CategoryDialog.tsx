import { useQuery } from '@tanstack/react-query'
import {
  type CategoryChoice,
  CategoryFields,
  certificatesOf,
  knownOf,
} from '#features/programs/program-applications/CategoryFields.tsx'
import { brokenChosenCategory, FORM_REFUSALS } from '#features/programs/program-applications/rules.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { programProfileApi as from, type ProfileData } from './programProfileApi.tsx'

/** `reason`: why it was refused before; empty: it was not. */
export type CategoryBegins = Pick<ProfileData['proposed'], 'categoryId' | 'alternative' | 'certificates'> & {
  reason: string
}
/** `begins`: in place of what is proposed. */
type Props = { data: ProfileData; begins?: CategoryBegins | undefined; onClose: () => void }
const NOTHING = {}

/** A category down to its last level, with the papers of one of its alternatives. */
export default function CategoryDialog({ data, begins, onClose }: Props) {
  const { id, merchantId, parts } = data
  const list = useQuery(from.categories.query())
  const change = parts.find(({ part }) => part === 'category')?.change
  const isRefused = change?.state === 'refused' && !change.isRemoval
  const { reason, ...proposed } = begins ?? { ...data.proposed, reason: isRefused ? change.reason : '' }
  const sent = ({ categoryId, alternative, certificates }: CategoryChoice) => ({
    ...{ categoryId, alternative: Number(alternative), certificates: certificatesOf(certificates) },
  })
  return (
    <FormDialog<typeof NOTHING, CategoryChoice>
      title="提交小程序类目"
      submitText="提交审核"
      width={640}
      of={NOTHING}
      more={{
        ...{ categoryId: proposed.categoryId, alternative: String(proposed.alternative) },
        certificates: Object.fromEntries(
          proposed.certificates.map(({ name, documentId }) => [name, documentId]),
        ),
      }}
      refuse={values =>
        brokenChosenCategory(sent(values), knownOf(list.data?.categories ?? [], values.categoryId)).map(
          ({ field, code }) => ({ field, message: FORM_REFUSALS[code] }),
        )
      }
      send={values => from.setCategory({ id, ...sent(values) })}
      onDone={async () => {
        toast.success('提交成功')
        onClose()
        await reread()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {reason !== '' && <FormNote>上次未通过：{reason}</FormNote>}
          <CategoryFields form={form} categories={list.data?.categories} merchantId={merchantId} />
        </>
      )}
    </FormDialog>
  )
}
