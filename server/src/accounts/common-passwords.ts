/**
 * Refuses passwords that an attacker tries first: those that lead every published ranking of breached passwords, and
 * their usual variations.
 *
 * The words were compiled for this project from what such rankings have in common (names, teams, keyboard rows, words of
 * affection); it is not a copy of a ranking. One word covers its spellings: case, digits and symbols around it, letters
 * replaced by digits, and repetitions. That keeps the list small, and it needs no request to another service.
 */

const WORDS = new Set(
  `
aaron abcabc abcdef abigail access account admin administrator adidas agent airborne albert alex alexander alexandra
alexis alice alpha amanda amateur amber america american anderson andrea andrew andy angel angela angels animal anna
anthony apollo apple apples april arsenal arthur asdasd asdf asdfasdf asdfgh asdfghjkl ashley asshole august austin
awesome azerty babe baby babygirl badboy bailey ball banana bandit barbara barcelona barney baseball basketball
bastard batman beach bear beautiful beaver beer benjamin bigdaddy bigdick bigdog bird bitch bitcoin black blackjack
blazer blessed blink blonde blood blowjob blue boobs booboo boomer boss boston brandon brandy braves brazil brian
bronco broncos brooklyn bubba bubbles buddy bulldog buster butter butterfly caesar calvin camaro cameron canada captain
carlos carmen carolina caroline carter cassie casper catch celtic changeme changeit charles charlie charlotte cheese
chelsea cherry chester chevy chicago chicken chocolate chris christian christina christine christmas christopher
claire claudia cocacola coffee college compaq computer connor control cookie cool cooper corvette cowboy cowboys
cricket crypto crystal custom cutie daddy daisy dakota dallas daniel daniela danielle dave david debbie default
defender delta demo dennis denver destiny dexter diablo diamond dick dietcoke digital dirty doctor dodgers dog dolphin
dolphins donald donkey doomsday dragon dragonball dreams driver eagle eagles edward einstein elephant elizabeth elvis
eminem emily emma england enter enterprise ethereum everton extreme falcon family fender ferrari fireman fish fishing
florida flower flowers fluffy flyers football forever formula france francis frank frankie fred freddy freedom friend
friends fuck fucker fucking fuckme fuckoff fuckyou gabriel gandalf garfield gateway gatewatch gators gemini genesis
george giants ginger girls gold golden golf golfer gordon great green gregory guest guinness guitar gunner hacker
hahaha hammer hannah happy hardcore harley harry hawaii heather hello helpme hello helloworld henry hockey hollywood
homer honda hooters horny horse hotdog hotmail hottie house houston hunter iceman iloveu iloveyou indian infinity
internet iwantu jack jackass jackie jackson jaguar jake james january jasmine jason jasper jennifer jeremy jessica
jesus jesuschrist joanna john johnny johnson jonathan jordan joseph joshua junior justin karina kevin killer king
kitten kitty knight ladies lakers lauren legend leonardo letmein liberty lillian link linkedin little liverpool logan
login london lonely looking louise love lovely loveme lover loveyou lucky lucy maddog madison maggie magic magnum
manager manchester marina marine mario marlboro marshall martin marvin master matrix matthew maverick maxwell melissa
member mercedes merlin metallica mexico michael michelle mickey midnight mike miller mine minecraft mitchell money
monica monkey monster montana moon morgan mother motorola mountain muffin murphy music mustang myspace mypassword
nascar natasha nathan naruto ncc1701 newyork nicholas nicole nirvana nissan nobody nothing november october oliver
online orange packers panther panthers parker pass passion passme passw passwd password passwort passwords patricia
patrick peaches peanut pepper peter phantom philip phoenix player please pokemon police poohbear pookie porn porsche
power preston prince princess private public pumpkin purple pussy qazwsx qazwsxedc qqqqqq qwer qwerty qwertyu
qwertyuiop qwertz rabbit rachel racing raiders rainbow ranger rangers raymond rebecca redskins redsox redwings
richard robert robot rocket rocky ronald ronaldo root rosebud runner rush russia sabrina sailor sakura sally samantha
samson samsung samuel sandra saturn scooby scooter scorpion scott secret sergey service sexy shadow shannon sharon
shithead sierra silver simon simple skippy slayer slipknot smile smokey snoopy snowball soccer sophie spanky sparky
spider spiderman spirit spring squirt srinivas star starwars startrek steelers stephanie steve steven stupid success
suckit summer sunday sunflower sunshine super superman superstar support surfer swimming sydney system taylor teacher
temp tennessee tennis teresa test tester testing texas thomas thunder thx1138 tiger tigers tigger time tinkerbell
titanic tomcat toyota travis trinity trustno trustnoone tucker turtle twitter unicorn united unknown user vampire
vanessa victor victoria viking vincent violet viper voodoo voyager wallet walter warrior web webmaster welcome whatever
white wildcat wildcats william williams willie willow wilson windows winner winston winter wizard wolf wolverine women
wonder xavier xxxxxx yamaha yankee yankees yellow zaq1zaq1 zaqwsx zxcvbn zxcvbnm
`
    .trim()
    .split(/\s+/),
)

/** Rows of keyboards and the alphabet. A password that is a part of one, in either direction, is trivial. */
const ROWS = [
  '0123456789012345678909876543210987654321',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
]

const reversed = (text: string): string => text.split('').toReversed().join('')
const ALL_ROWS = [...ROWS, ...ROWS.map(reversed)]

/** The usual replacements of letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const withLetters = (text: string): string =>
  text.replaceAll(/[013457@$!]/g, (character) => LETTERS[character] ?? character)

/** The shortest text whose repetition is `text`. */
function unitOf(text: string): string {
  for (let length = 1; length <= text.length / 2; length++) {
    const unit = text.slice(0, length)
    if (text.length % length === 0 && unit.repeat(text.length / length) === text) return unit
  }
  return text
}

const FEWEST_CHARACTERS = 5

/** Reports whether a password is one that attackers try first. `own` are texts of the account, such as its address. */
export function isCommonPassword(password: string, own: readonly string[] = []): boolean {
  const lower = password.toLowerCase()
  if (new Set(lower).size < FEWEST_CHARACTERS) return true
  const unit = unitOf(lower)
  if (ALL_ROWS.some((row) => row.includes(unit))) return true
  const words = new Set([
    ...WORDS,
    ...own
      .flatMap((text) => [text.toLowerCase(), text.toLowerCase().split('@')[0] ?? ''])
      .filter((text) => text !== ''),
  ])
  // Digits and symbols around a word, before and after replacing them by letters: p4ssw0rd!, Summer2026, 123qwerty.
  const bare = (text: string) => text.replace(/^[^\p{L}]{0,64}/u, '').replace(/[^\p{L}]{0,64}$/u, '')
  const forms = [lower, unit, bare(lower), unitOf(bare(lower)), bare(unit)]
  const candidates = forms.flatMap((form) => [
    form,
    withLetters(form),
    bare(withLetters(form)),
    withLetters(bare(form)),
  ])
  return candidates.some((form) => words.has(form) || ALL_ROWS.some((row) => form.length >= 4 && row.includes(form)))
}
