// The page of a game: the player's turn, and the earlier turns.

import { putFaces } from "../../../board/assets/faces.js";
import { offerMap } from "../../../board/assets/map.js";
import { byId } from "../../../board/assets/parts.js";
import { listenToBoard } from "./board.js";
import { offerHelp } from "./help.js";
import { listenToPanel } from "./panel.js";
import { listenForNews } from "./news.js";
import { listenForProgress, offerPast, resumeAnalysis } from "./past.js";
import { begin } from "./state.js";
import "../outgoing.js";

begin(byId("play-page"));
offerMap();
listenToBoard();
listenToPanel();
listenForNews();
listenForProgress();
offerHelp();
if (document.getElementById("faces")) putFaces().then(offerPast).then(resumeAnalysis);
