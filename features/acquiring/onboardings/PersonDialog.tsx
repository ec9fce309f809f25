import { DocumentField } from '#features/care/documents/DocumentField.tsx'
import { hasBack } from '#kit/ports/onboarding.ts'
import { formatDay } from '#kit/time.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { toast } from '#web/controls/toast.ts'
import { FormDialog, FormNote } from '#web/form/FormDialog.tsx'
import { FormFields } from '#web/form/FormFields.tsx'
import { PERSON, PERSON_PAPER_KINDS, PERSON_PAPERS } from './fields.ts'
import styles from './onboarding.module.css'
import { type OnboardingData, onboardingsApi } from './onboardingsApi.tsx'
import { RefusalList, refusedHints } from './RefusalList.tsx'
import { brokenPerson, PERSON_ROLES, type PersonRole, REFUSALS } from './rules.ts'

type Person = OnboardingData['people'][number]
type Props = {
  id: number
  data: OnboardingData
  role: PersonRole
  /** Null: somebody new. */
  person: Person | null
  onClose: () => void
}
type PaperName = keyof typeof PERSON_PAPERS

const NOTES: Record<PersonRole, string> = {
  deputy:
    '经办人作为超级管理员签约和验证账户，支付申请的联系电话须为经办人的手机号。授权函可在支付服务的商户平台下载模板，打印后由经营者（法定代表人）签字并加盖公章，再拍照上传。',
  owner: '法定代表人以外，直接或间接持有企业 25% 以上股权、表决权，或者实际控制企业的自然人。',
}

/** Who signs in place of the legal person, or owns the company beside it: all of the paper, so that nobody is half known. */
export default function PersonDialog({ id, data, role, person, onClose }: Props) {
  const refusals = data.refusals.filter(({ personId }) => person !== null && personId === person.id)
  const hints = refusedHints(refusals)
  return (
    <FormDialog
      title={person ? `修改${PERSON_ROLES[role]}` : `添加${PERSON_ROLES[role]}`}
      submitText="保存"
      width={680}
      of={PERSON}
      known={person && { ...person, idTo: person.idTo || undefined, idNumber: '' }}
      without={role === 'owner' ? [] : ['address']}
      more={{
        ...{ frontId: person?.frontId ?? null, backId: person?.backId ?? null },
        authorizationId: person?.authorizationId ?? null,
      }}
      tellsAll
      refuse={({ idNumber, idFrom, idTo, ...given }) =>
        brokenPerson(
          {
            ...{ ...given, role, idFrom: idFrom ?? '', idTo: idTo ?? '' },
            idNumber: idNumber === '' && person ? null : idNumber.toUpperCase(),
          },
          formatDay(new Date()),
        ).map(({ field, code }) => ({ field, message: REFUSALS[code] }))
      }
      send={async ({ idNumber, idFrom, idTo, ...given }) => {
        await onboardingsApi
          .savePerson({
            ...{ id, revision: data.revision, personId: person?.id ?? null, role, ...given },
            ...{ idFrom: idFrom ?? '', idTo: idTo ?? '' },
            idNumber: idNumber === '' ? null : idNumber,
          })
          .catch((error: unknown) => {
            readAgain('onboardings')
            throw error
          })
        toast.success('已保存')
        await reread()
      }}
      onClose={onClose}
    >
      {form => {
        const kind = form.draft.idKind ?? 'idCard'
        const paper = (name: PaperName, required: boolean) => (
          <DocumentField<PaperName>
            key={name}
            form={form}
            name={name}
            merchantId={data.merchantId}
            kind={PERSON_PAPER_KINDS[name]}
            label={PERSON_PAPERS[name]}
            purpose="paymentApplication"
            uploads={form.uploads}
            required={required}
          />
        )
        return (
          <>
            <RefusalList
              refusals={refusals}
              people={data.people}
              onField={({ field }) => form.focus(field)}
            />
            <FormNote>{NOTES[role]}</FormNote>
            <FormFields form={form} only={['idKind']} told={hints} />
            <div className={styles.papers}>
              {paper('frontId', true)}
              {hasBack(kind) && paper('backId', true)}
            </div>
            <FormFields
              form={form}
              only={[
                'name',
                'idNumber',
                'idFrom',
                'idTo',
                'isIdLongTerm',
                ...(role === 'owner' ? (['address'] as const) : []),
              ]}
              told={{
                ...hints,
                idNumber: {
                  ...hints.idNumber,
                  required: true,
                  placeholder: person ? `已保存 ${person.idNumberMasked}，不修改请留空` : '',
                },
                address: { ...hints.address, required: true },
              }}
            />
            {role === 'deputy' && paper('authorizationId', false)}
          </>
        )
      }}
    </FormDialog>
  )
}
