import { useMutation } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { messageOf } from '#web/client/api.ts'
import { readAgain, reread } from '#web/client/reread.ts'
import { Button } from '#web/controls/Button.tsx'
import { confirm } from '#web/controls/confirm.ts'
import { Suspense } from '#web/controls/Suspense.tsx'
import { toast } from '#web/controls/toast.ts'
import { Fact, Facts } from '#web/facts/Facts.tsx'
import styles from './onboarding.module.css'
import { type OnboardingData, onboardingsApi } from './onboardingsApi.tsx'
import { PERSON_ROLES, type PersonRole, REFUSALS, refuseMore } from './rules.ts'

const PersonDialog = lazy(() => import('./PersonDialog.tsx'))

type Person = OnboardingData['people'][number]
/** Null: somebody new. */
export type Opened = { role: PersonRole; person: Person | null }

type Props = {
  id: number
  data: OnboardingData
  /** Whoever looks may change it, and it may be changed now. */
  isOpen: boolean
  opened: Opened | null
  onOpen: (opened: Opened | null) => void
}

/** Who signs at the service, and who owns the company. */
export function People({ id, data, isOpen, opened, onOpen }: Props) {
  const { people, subjectKind, isOwner } = data
  const [removing, setRemoving] = useState<number | null>(null)
  const removal = useMutation({
    mutationFn: (personId: number) => onboardingsApi.removePerson({ id, revision: data.revision, personId }),
    onSuccess: () => {
      toast.success('已移除')
      return reread()
    },
    onError: error => {
      toast.warning(messageOf(error))
      readAgain('onboardings')
    },
    onSettled: () => setRemoving(null),
  })
  const remove = async ({ id: personId, role, name }: Person) => {
    const sure = await confirm({
      title: `移除${PERSON_ROLES[role]}${name}？`,
      text:
        role === 'deputy'
          ? '移除后由经营者（法定代表人）作为超级管理员签约，支付申请的联系电话须改回本人的手机号。'
          : '移除后不再向支付服务提交其证件。',
      confirmText: '移除',
      danger: true,
    })
    if (!sure) return
    setRemoving(personId)
    removal.mutate(personId)
  }
  const row = (person: Person) => (
    <li key={person.id} className={styles.person}>
      <span>
        {person.role === 'deputy' && `${PERSON_ROLES.deputy} `}
        {person.name} {person.idNumberMasked}
      </span>
      {isOpen && (
        <span className={styles.personDeeds}>
          <Button
            kind="link"
            changes
            aria-label={`修改${person.name}`}
            onClick={() => onOpen({ role: person.role, person })}
          >
            修改
          </Button>
          <Button
            kind="link"
            changes
            aria-label={`移除${person.name}`}
            busy={removing === person.id}
            onClick={() => void remove(person)}
          >
            移除
          </Button>
        </span>
      )}
    </li>
  )
  const add = (role: PersonRole, words: string) => {
    const code = refuseMore(role, subjectKind, people)
    return (
      <Button
        kind="link"
        changes
        disabled={code === null ? false : REFUSALS[code]}
        onClick={() => onOpen({ role, person: null })}
      >
        {words}
      </Button>
    )
  }
  const deputy = people.find(({ role }) => role === 'deputy')
  const owners = people.filter(({ role }) => role === 'owner')
  const isCompany = subjectKind === 'enterprise'
  return (
    <div className={styles.who}>
      <Facts>
        <Fact label="超级管理员">
          <ul className={styles.people}>
            {deputy ? row(deputy) : <li>经营者（法定代表人）</li>}
            {!deputy && isOpen && <li>{add('deputy', '改由经办人办理')}</li>}
          </ul>
        </Fact>
        {(isCompany || owners.length > 0) && (
          <Fact label={PERSON_ROLES.owner}>
            <ul className={styles.people}>
              {isCompany && isOwner && <li>法定代表人</li>}
              {isCompany && !isOwner && owners.length === 0 && <li>未填写</li>}
              {!isCompany && <li>个体工商户不提交受益所有人</li>}
              {owners.map(row)}
              {isCompany && isOpen && <li>{add('owner', '添加受益所有人')}</li>}
            </ul>
          </Fact>
        )}
      </Facts>
      <Suspense>
        {opened && <PersonDialog id={id} data={data} {...opened} onClose={() => onOpen(null)} />}
      </Suspense>
    </div>
  )
}
