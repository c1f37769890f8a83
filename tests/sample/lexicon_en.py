"""English words of the sample: what does what to what, and where, scene by scene."""

from __future__ import annotations

from dataclasses import dataclass

# Nouns: lemma, plural (- for a mass noun), and the adjectives that suit them.
NOUNS = """
potato potatoes small big; carrot carrots small fresh; apple apples red green ripe
onion onions small
cake cakes small; bread - fresh warm; pie pies warm big; plate plates white old; cup cups blue small
glass glasses tall; pot pots big heavy; soup - hot thick; sauce - thick hot
table tables round old
rice - white; dinner dinners late; coffee - strong black; tea - hot strong; milk - cold fresh
juice - cold sweet; sandwich sandwiches small; window windows big narrow; jar jars big small
bottle bottles green small; tree trees young; rose roses red white; tomato tomatoes ripe red
bean beans green; flower flowers yellow fresh; fence fences wooden low; bench benches wooden green
door doors heavy blue; grass - tall wet; hedge hedges tall; pear pears ripe yellow
cherry cherries dark sweet
hole holes deep; leaf leaves dry yellow; hen hens brown; rabbit rabbits white; cat cats grey old
dog dogs big friendly; book books thick old new; story stories long strange; poem poems short
rule rules simple new; problem problems difficult; answer answers short good
letter letters long short
sentence sentences long; map maps old large; picture pictures small bright; horse horses white young
song songs old short; pencil pencils new red; mistake mistakes small
question questions difficult simple
cheese - soft; lamp lamps old small; basket baskets heavy large; egg eggs brown fresh
honey - dark sweet; box boxes heavy wooden; bag bags heavy green; coin coins old small
fish fish small big
train trains early; bus buses last red; suitcase suitcases heavy brown; ticket tickets cheap
newspaper newspapers old local; seat seats empty; key keys small spare; umbrella umbrellas black
glove gloves warm; bicycle bicycles old new; clock clocks old tall; chair chairs broken wooden
radio radios old; roof roofs low red; boat boats small wooden; shelf shelves narrow
hammer hammers heavy
ladder ladders long; knife knives old small; brush brushes soft; stone stones flat smooth
ball balls red
duck ducks small; swan swans white; bird birds small; bridge bridges narrow old; kite kites red
day days
novel novels long; piano pianos old; flute flutes wooden; blanket blankets warm
shirt shirts clean white
candle candles white; sofa sofas; kitchen kitchens small; garden gardens small; school schools old
market markets busy
station stations small; lake lakes deep; park parks quiet; library libraries quiet
workshop workshops cold
house houses old; hall halls long; shop shops small; street streets narrow; village villages small
platform platforms empty; field fields wide; shed sheds old; corner corners quiet
stall stalls small
floor floors wooden; wall walls white; river rivers wide; shore shores; counter counters clean
evening evenings
morning mornings; week weeks; night nights; breakfast -; lunch -; stove stoves old
desk desks tidy; yard yards
classroom classrooms bright; family families large; rain - heavy; sun -; bell bells; guest guests
lesson lessons long; melon melons ripe; parcel parcels small heavy; class classes; weather -
water - cold; price prices; ground -; country countries; home -; shower showers; autumn -
summer -; spring -; winter -
""".replace("\n", ";")

# People by what they do; the gender is drawn where the word leaves it open.
PROFESSIONS = (
    "baker", "teacher", "neighbour", "farmer", "gardener", "doctor", "student", "librarian",
    "carpenter", "painter", "cook", "musician", "driver", "sailor", "tailor",
)  # fmt: skip
KIN = {
    "sister": "Fem", "brother": "Masc", "uncle": "Masc", "aunt": "Fem", "mother": "Fem",
    "father": "Masc", "grandmother": "Fem", "grandfather": "Masc", "daughter": "Fem", "son": "Masc",
}  # fmt: skip
NAMES = {
    "Anna": "Fem", "Emma": "Fem", "Lucy": "Fem", "Clara": "Fem", "Alice": "Fem", "Nora": "Fem",
    "Tom": "Masc", "James": "Masc", "Peter": "Masc", "Henry": "Masc", "Daniel": "Masc",
    "Oliver": "Masc",
}  # fmt: skip
SURNAMES = ("Miller", "Brown", "Carter", "Wood", "Hill", "Hughes")
PERSON_ADJECTIVES = ("young", "old", "tall", "friendly", "quiet", "cheerful")
PERSON_STATES = ("tired", "happy", "late", "busy", "hungry", "curious", "nervous")

# Verbs with irregular forms: past tense, past participle.
IRREGULAR_VERBS = {
    verb: (past, participle)
    for verb, past, participle in (
        line.split()
        for line in """
cut cut cut|set set set|drink drank drunk|eat ate eaten|dig dug dug|feed fed fed|read read read
write wrote written|draw drew drawn|forget forgot forgotten|buy bought bought|sell sold sold
choose chose chosen|catch caught caught|find found found|lose lost lost|build built built
throw threw thrown|fly flew flown|hang hung hung|light lit lit|sit sat sat|sing sang sung
sleep slept slept|swim swam swum|run ran run|give gave given|show showed shown
sew sewed sewn|send sent sent|bring brought brought
lend lent lent|tell told told|say said said|think thought thought|know knew known|hear heard heard
see saw seen|meet met met|put put put|come came come|begin began begun
take took taken|leave left left|stand stood stood|ring rang rung|wear wore worn|keep kept kept
be was been|have had had|do did done
""".strip().replace("\n", "|").split("|")
    )
}  # fmt: skip
DOUBLING_VERBS = {
    "cut",
    "set",
    "dig",
    "forget",
    "sit",
    "swim",
    "run",
    "put",
    "begin",
    "chat",
    "stop",
    "wrap",
}

# Transitive actions: verb | objects (+ for plural) | places. A particle follows an underscore.
ACTIONS = {
    "kitchen": """
peel|potato+ carrot+ apple+|in the kitchen, at the table
bake|cake bread pie|in the morning, for the guests
wash|plate+ cup+ glass+ pot|in the kitchen
taste|soup! sauce! cake!|in the kitchen
cut|bread cake onion+|with a knife, at the table
set|table!|for the guests
cook|soup dinner~ rice|for the guests, on the stove
drink|tea coffee milk juice|at the window, in the kitchen
eat|soup apple sandwich cake|at the table, in the garden
open|window jar bottle|in the kitchen
put_away|plate+! cup+! pot!|after dinner""",
    "garden": """
plant|tree rose+ tomato+ bean+!|behind the house, near the fence
water|flower+! rose+! tomato+! bean+!|in the garden, behind the house
paint|fence! bench door!|with a brush
cut|grass! hedge!|behind the house, near the fence
pick|apple+ pear+ cherry+ flower+|in the garden
dig|hole|near the fence, under the tree
rake_up|leaf+!|under the tree
feed|hen+! rabbit+! cat! dog!|in the yard, behind the shed""",
    "school": """
read|book story poem|in the library, in the classroom
explain|rule problem! answer!|to the class
write|letter sentence+ story|at the desk, in the library
draw|map picture horse|on the wall, in the classroom
learn|song poem|at school
forget|pencil book ball|at school, in the classroom
correct|mistake+! sentence+!|at the desk
answer|question+ letter|in the classroom
hang_up|map picture|in the classroom, in the hall""",
    "market": """
buy|bread cheese apple+ lamp basket fish|at the market, at the stall
sell|egg+ honey flower+ cheese|at the market, on the corner
carry|basket bag box|across the street, to the market
choose|melon+ tomato+ flower+ basket|at the stall
count|coin+! egg+!|at the counter
weigh|potato+! tomato+! fish!|at the stall
wrap_up|cheese fish flower+|at the counter""",
    "station": """
miss|train! bus!|in the morning
catch|train! bus!|at the station
carry|suitcase bag|to the station, across the platform
buy|ticket newspaper sandwich|at the station
find|seat key umbrella|on the train, at the station
lose|ticket umbrella glove+|at the station, on the train
read|newspaper novel|on the train, on the platform
pick_up|suitcase bag|at the station""",
    "workshop": """
repair|bicycle clock chair radio roof!|in the workshop
build|table boat shelf|in the workshop
borrow|hammer ladder brush|from the neighbour
sharpen|knife pencil|in the workshop
paint|chair boat shelf|in the yard, behind the workshop
clean|brush+ floor! window|in the workshop
put_down|hammer box ladder|in the workshop""",
    "lake": """
catch|fish|in the lake
throw|ball stone+|into the lake
watch|duck+ swan+ bird+|on the lake, from the bridge
photograph|swan+ bridge! bird+|from the shore
fly|kite|on the shore, in the park
eat|sandwich apple cherry+|on the bench, on the shore
tie_up|boat!|near the bridge""",
    "home": """
return|book+!|to the library
borrow|book novel map|from the library
read|newspaper letter novel|in the evening
hang_up|picture clock|in the hall
play|piano flute|in the evening, for the guests
fold|blanket shirt+|in the evening
iron|shirt+|in the kitchen
light|lamp candle|in the evening, in the hall
lock|door!|in the evening
switch_on|lamp radio|in the kitchen, in the hall""",
}

# Intransitive actions of people: verb | places.
ACTIVITIES = {
    "kitchen": "sit|at the table, near the stove\nsing|in the kitchen\nwait|near the stove",
    "garden": "work|in the garden, behind the house\nrest|under the tree, on the bench",
    "school": "wait|in the hall\nsing|in the classroom\nwork|in the library",
    "market": "wait|at the stall, on the corner\nwork|at the market\nchat|at the counter",
    "station": "wait|on the platform, at the station\nsleep|on the train\nstand|on the platform",
    "workshop": "work|in the workshop\nwhistle|in the workshop",
    "lake": "swim|in the lake, near the bridge\nrest|on the shore\nrun|along the shore",
    "home": "rest|on the sofa\nsit|near the window, in the garden\nwork|at the desk",
}

# Who can be found in a scene beside family and friends.
SCENE_PROFESSIONS = {
    "kitchen": "cook baker neighbour",
    "garden": "gardener neighbour farmer",
    "school": "teacher student librarian",
    "market": "farmer baker tailor cook",
    "station": "driver student musician doctor",
    "workshop": "carpenter painter neighbour",
    "lake": "sailor painter student teacher",
    "home": "neighbour doctor musician",
}

# Gifts: verb | things | the preposition of the other construction.
GIFTS = """give|key book apple flower+ basket|to
show|picture map letter garden|to
send|letter picture parcel|to
bring|newspaper soup flower+ blanket|to
lend|ladder umbrella bicycle hammer|to
read|story poem letter|to"""

# Things and how they can be: noun | states.
STATES = """soup|cold hot ready
cake|ready delicious
door|open locked
window|open dirty
kitchen|warm clean
garden|beautiful quiet
train|late full
bus|late empty
platform|empty
workshop|cold tidy
lake|calm deep
bridge|narrow
fence|broken new
story|sad long
question|difficult easy
suitcase|heavy full
lamp|bright broken
library|closed quiet
cherry+|sweet ripe
glove+|warm dry
shirt+|dry clean
clock|slow expensive"""

# What there is, where: noun | places.
EXISTENCE = """bench|under the tree, near the bridge
letter|on the table
cup+|on the shelf, on the table
basket|near the door
bird+|on the roof, in the hedge
boat|near the bridge
coin+|in the jar, in the box
map|on the wall
duck+|on the lake
seat+|on the train, near the window
hole|in the roof, in the fence
candle|on the table
flower+|on the table, in the garden"""

# Things with a past, for extraposed relative clauses: noun | verb | what follows it.
HISTORIES = """lamp|belong|to a sailor
clock|belong|to the doctor
map|show|old village
picture|show|narrow bridge
picture|show|white horse
key|belong|to the neighbour
basket|smell|of apples
box|smell|of honey
coin|come|from a distant country
umbrella|belong|to the librarian
book|come|from a distant country
jar|smell|of coffee"""

# People and what they are known for, for relative clauses: profession | verb | objects.
KNOWN_FOR = """carpenter|build|boat+ shelf+
farmer|sell|honey cheese
gardener|plant|rose+ tree+
musician|play|flute piano
painter|paint|bridge+ horse+
driver|collect|coin+ clock+
sailor|write|poem+ song+
student|draw|map+ bird+
librarian|collect|map+ key+
baker|bake|pie+ cake+
tailor|sew|shirt+ glove+
doctor|keep|hen+ rabbit+
teacher|repair|radio+ clock+"""

# What happens by itself: noun | verb | scene, if not anywhere.
OCCASIONS = """guest+|arrive
rain|stop
sun|come_out
lesson|end|school
bell|ring|school"""

# Nouns that a possessive pronoun suits.
OWNABLE_NOUNS = """
book letter bicycle key umbrella suitcase bag basket ticket pencil glove shirt blanket piano
flute hammer ladder boat chair lamp radio fence bench dog cat rabbit hen coffee tea soup
sandwich story poem map picture kite knife question roof house garden dinner newspaper
"""
OWNABLE = set(OWNABLE_NOUNS.split())

# An action and a state of affairs that explains it, or that would have spoken against it.
REASONS = """stay|at home|because|weather bad
open|window|because|kitchen warm
miss|train|because|bus late
take|bus|because|bicycle broken
light|candle|because|lamp broken
close|window|because|street noisy
buy|bread|because|guest+ hungry
repair|roof|because|workshop wet
wear|glove+|because|morning cold
swim|in the lake|although|water cold
walk|to the station|although|street icy
buy|clock|although|price high
eat|pear+|although|pear+ hard
finish|book|although|story sad
plant|rose+|although|ground dry"""

# Adjectives without degrees; verbs for what nobody intends, and verbs for what is done in a moment.
COLOURS = {"red", "green", "blue", "white", "black", "yellow", "brown", "grey"}
INVOLUNTARY_VERBS = {"miss", "forget", "lose", "find"}
MOMENTARY_VERBS = INVOLUNTARY_VERBS | {
    "borrow",
    "catch",
    "return",
    "switch",
    "lock",
    "open",
    "put",
    "light",
    "pick",
    "choose",
}

PAST_TIMES = ("yesterday", "this morning", "last night", "last week", "on Monday", "on Friday")
HABITUAL_TIMES = ("every morning", "every evening", "every week", "every day")
FUTURE_TIMES = ("tomorrow", "next week", "this evening", "on Saturday", "on Sunday")
FREQUENCIES = ("often", "always", "sometimes", "usually", "rarely")


@dataclass(frozen=True)
class Action:
    """A verb with the things it may be done to and the places where."""

    verb: str
    particle: str | None
    objects: tuple[str, ...]
    places: tuple[str, ...]


def actions(scene: str) -> list[Action]:
    """The transitive actions of a scene."""
    parsed = []
    for line in ACTIONS[scene].strip().split("\n"):
        verb, objects, places = line.split("|")
        lemma, _, particle = verb.partition("_")
        parsed.append(
            Action(lemma, particle or None, tuple(objects.split()), tuple(places.split(", ")))
        )
    return parsed


def activities(scene: str) -> list[Action]:
    """The intransitive actions of a scene."""
    lines = [line.split("|") for line in ACTIVITIES[scene].split("\n")]
    return [Action(verb, None, (), tuple(places.split(", "))) for verb, places in lines]


def pairs(table: str) -> list[list[str]]:
    """The lines of a table, split at its bars."""
    return [line.split("|") for line in table.strip().split("\n")]


@dataclass(frozen=True)
class Noun:
    """A common noun: plural is None for mass nouns."""

    lemma: str
    plural: str | None
    adjectives: tuple[str, ...]


def _nouns() -> dict[str, Noun]:
    nouns = {}
    for entry in NOUNS.split(";"):
        lemma, *rest = entry.split() or [""]
        if lemma:
            nouns[lemma] = Noun(lemma, None if rest[0] == "-" else rest[0], tuple(rest[1:]))
    return nouns


NOUN = {**_nouns(), **{p: Noun(p, p + "s", PERSON_ADJECTIVES) for p in PROFESSIONS}}
