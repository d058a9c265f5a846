/** `npm run fuzz -- [seconds] [first seed]`: damages real blocks and parses them for as long as asked (default: for ever). */
import { fuzzCorpus, fuzzOnce } from './fuzz-parse.ts'

const seconds = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)
let seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)
const corpus = fuzzCorpus()
const until = Date.now() + seconds * 1000
const first = seed
let read = 0
for (let report = Date.now() + 5_000; Date.now() < until; ) {
  for (let i = 0; i < 1000; i++) if (fuzzOnce(corpus, seed++)) read++
  if (Date.now() > report) {
    console.log(`${seed - first} cases from seed ${first}: ${read} read, the rest refused`)
    report = Date.now() + 5_000
  }
}
console.log(`${seed - first} cases from seed ${first}: ${read} read, the rest refused, no other outcome`)
