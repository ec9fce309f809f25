import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { applicationsApi } from '#features/acquiring/payment-applications/applicationsApi.tsx'
import type { Refusing } from '#features/acquiring/refusals/slots.tsx'
import type { Fields } from '#kit/declare/fields.ts'
import { picked } from '#kit/declare/fields.ts'
import { messageOf } from '#web/client/api.ts'
import { reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { LoadingLines } from '#web/form/LoadStates.tsx'
import { Select } from '#web/form/Select.tsx'
import { DETAILS } from './fields.ts'
import styles from './onboarding.module.css'
import { onboardingsApi } from './onboardingsApi.tsx'
import { ONBOARDED_SUBJECTS } from './rules.ts'

type Shop = Refusing['shops'][number]
type Left = { shopName: string; why: string }
type Props = Pick<Refusing, 'shops'> & { onClose: () => void }

const CORRECTED = {
  category: { ...DETAILS.category, control: { as: 'own', required: true, missing: '请选择所属行业' } },
} as const satisfies Fields

const { accountNumber: _, ...KEPT } = DETAILS
const KEPT_KEYS = Object.keys(KEPT) as (keyof typeof KEPT)[]

/** One line of business for all: each is completed, goes on, and is handed in anew, one after the other; what does not is named. */
export default function CorrectDialog({ shops, onClose }: Props) {
  const [left, setLeft] = useState<readonly Left[]>([])
  const [done, setDone] = useState(0)
  const isWhole = useRef(false)
  const first = useQuery(onboardingsApi.ofApplication.query({ id: shops[0]?.applicationId ?? 0 }))
  const { categories } = first.data ?? {}
  return (
    <FormDialog
      title={`更正 ${shops.length} 家店铺的所属行业`}
      submitText="更正并重新提交"
      width={560}
      of={CORRECTED}
      send={async ({ category }) => {
        const subject = categories?.find(({ key }) => key === category)?.subjectKind
        const failed: Left[] = []
        for (const [at, shop] of shops.entries()) {
          const why = await correct(shop, category, subject)
          if (why !== null) failed.push({ shopName: shop.shopName, why })
          setDone(at + 1)
        }
        isWhole.current = failed.length === 0
        setLeft(failed)
        await reread()
        if (failed.length < shops.length)
          toast.success(`已更正 ${shops.length - failed.length} 家，正在送达支付服务`)
      }}
      onDone={() => {
        if (isWhole.current) onClose()
      }}
      onClose={onClose}
    >
      {form => (
        <>
          {categories === undefined ? (
            <LoadingLines lines={1} />
          ) : (
            <FormFields form={form}>
              {{
                category: control => (
                  <Select
                    {...control}
                    value={form.draft.category || undefined}
                    onChange={chosen => form.change({ category: String(chosen) })}
                    placeholder="请选择"
                    options={categories.map(one => ({
                      value: one.key,
                      label: `${ONBOARDED_SUBJECTS[one.subjectKind]}：${one.qualificationType}（费率 ${(one.rateBasisPoints / 100).toFixed(2)}%）`,
                    }))}
                  />
                ),
              }}
            </FormFields>
          )}
          <FormNote>
            {done > 0 && done < shops.length
              ? `正在处理 ${done} / ${shops.length}`
              : '逐家修改所属行业，并以原编号重新提交支付服务，其他资料不变。'}
          </FormNote>
          {left.length > 0 && (
            <ul className={styles.refusals} aria-label="没有更正的店铺">
              {left.map(({ shopName, why }) => (
                <li key={shopName}>
                  {shopName}：{why}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </FormDialog>
  )
}

/** Why not; null: it was handed in. */
async function correct(
  { applicationId: id }: Shop,
  category: string,
  subject: keyof typeof ONBOARDED_SUBJECTS | undefined,
): Promise<string | null> {
  try {
    const [data, application] = await Promise.all([
      onboardingsApi.ofApplication({ id }),
      applicationsApi.details({ id }),
    ])
    if (data.completeRefusal !== null) return data.completeRefusal
    if (data.subjectKind !== subject)
      return `主体类型是${ONBOARDED_SUBJECTS[data.subjectKind]}，请为它另选行业`
    const { revision } = await onboardingsApi.complete({
      ...{ id, revision: data.revision, ...picked(data, KEPT_KEYS), category },
    })
    await applicationsApi.review({
      id,
      revision: application.revision,
      reviewState: 'waiting',
      reviewNote: '',
    })
    await onboardingsApi.submit({ id, revision })
    return null
  } catch (error) {
    return messageOf(error)
  }
}
