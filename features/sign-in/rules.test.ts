import assert from 'node:assert/strict'
import test from 'node:test'
import { refuseLogin } from './rules.ts'

test('a login form names what is missing, account first; blanks count as missing', () => {
  assert.equal(refuseLogin({ loginName: '  ', password: '' }), 'LOGIN_NAME_REQUIRED')
  assert.equal(refuseLogin({ loginName: '20001', password: ' ' }), 'PASSWORD_REQUIRED')
  assert.equal(refuseLogin({ loginName: ' 20001 ', password: 'x' }), null)
})
